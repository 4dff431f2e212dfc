"""The newsletter: its contents, printing, sending, and its feed."""
