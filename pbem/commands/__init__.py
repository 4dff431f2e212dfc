"""What the program can do: one short function a command."""
