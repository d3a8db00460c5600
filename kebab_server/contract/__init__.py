"""What goes over the wire: events, requests, replies. The OpenAPI document is made of them."""
