"""Layout and safety of text: columns, harmless markup, names that look alike."""
