"""What a moderator runs beside the daemon: founding, checks, backups, repair."""
