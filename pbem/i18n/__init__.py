"""Other languages: catalogues of words, days and time zones."""
