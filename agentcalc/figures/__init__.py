"""Figures: tidy tables in, charts with their words out."""
