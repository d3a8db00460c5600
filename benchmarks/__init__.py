"""Measures, each beside a named baseline of the same run. `make bench` prints them all."""
