"""Endpoints, a file for what they are about."""
