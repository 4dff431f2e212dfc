"""Other languages: message catalogues, days and time zones."""
