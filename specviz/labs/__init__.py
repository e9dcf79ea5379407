"""Experiments made of many runs."""
