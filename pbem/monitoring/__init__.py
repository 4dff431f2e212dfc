"""Monitoring of the service: what is counted, what is wrong, and who is alarmed."""
