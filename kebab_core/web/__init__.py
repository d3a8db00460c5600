"""The web, when a person allows it: searching, reading a page, and the guard around both."""
