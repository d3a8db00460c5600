"""`/api/ask`: one question, one answer, for a page or a chat client."""
