"""What a player can ask for outside a battle."""
