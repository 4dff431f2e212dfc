"""Threads of the daemon that send letters and publish posts."""
