"""How good search and answers are on questions whose answers are known."""
