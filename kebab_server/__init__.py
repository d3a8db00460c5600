"""The HTTP ask service: a ticket now, events as they happen, one end.

`build` makes the ASGI application, `kebab_server.serving.serve` runs it. Importing this package
loads no web framework.
"""
