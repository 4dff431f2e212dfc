"""Mail servers for tests: embedded ones for any machine, Dovecot and Postfix where installed."""
