"""Handlers of offers: orders that make, answer and end them, and how their battles begin."""
