"""A season of the league through real mail and news servers, with no hand on the shell."""
