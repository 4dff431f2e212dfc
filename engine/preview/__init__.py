"""What PREVIEW tells: how a game may go on, tried out with other dice, within a budget."""
