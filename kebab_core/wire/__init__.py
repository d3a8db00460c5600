"""Wire schema v1: the contract with agents, scripts and other programs.

The models here are the source; `kebab schema export` writes their JSON Schemas.
"""
