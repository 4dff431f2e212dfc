"""Layout of words: languages, days and zones in words, columns, and harmless markup."""
