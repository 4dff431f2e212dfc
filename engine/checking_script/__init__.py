"""What checking scripts share."""
