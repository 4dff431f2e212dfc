"""What is used at the workbench only."""
