"""Words laid out: languages, days and zones in words, columns, and harmless markup."""
