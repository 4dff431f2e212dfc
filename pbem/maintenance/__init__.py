"""What a moderator runs next to the daemon: founding, checks, backups, repair."""
