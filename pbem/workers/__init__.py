"""Threads of the daemon that hand letters over and put posts up."""
