"""Readers of benchmark results: a file of a foreign format -> common records -> a system."""
