"""The service around the engine: letters in, books kept, letters out; it knows no rules."""
