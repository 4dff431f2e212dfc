"""Orders that ask for a page: help, rules, ships, status and standings."""
