"""The commands of the program: one short function for each."""
