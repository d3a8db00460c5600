"""Conversations, their tickets, and the events that each ticket keeps."""
