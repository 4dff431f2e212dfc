"""Tools for developers only."""
