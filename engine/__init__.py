"""The rules: pure functions that know nothing of clocks, files, networks or letters."""
