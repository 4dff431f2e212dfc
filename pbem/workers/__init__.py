"""The daemon's jobs: when they are done, and those that send letters and publish posts."""
