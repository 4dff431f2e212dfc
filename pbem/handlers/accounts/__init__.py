"""Orders about a player's account: joining, addresses, absences, what mail to get, leaving."""
