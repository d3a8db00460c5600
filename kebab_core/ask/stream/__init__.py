"""What stands between a model's deltas and a reader: filters that say the same however it is cut.

Each takes text piece by piece and gives back what is settled; `end` gives the rest.
"""
