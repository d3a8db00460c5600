"""The service's contract as a program: point it at a base URL with two callers' bearers."""
