"""Handlers: the functions that carry out league orders and rulings."""
