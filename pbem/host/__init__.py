"""The machine that the program runs on: its clock, log, terminal, systemd and files."""
