"""How letters come and go: IMAP, SMTP, Maildir, sendmail, and the login."""
