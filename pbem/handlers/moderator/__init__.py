"""The moderator's rulings."""
