"""What is done to every request and reply, whatever it is about."""
