"""The rules: pure functions that know no world."""
