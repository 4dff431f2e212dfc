"""The roads that letters come and go by: IMAP, SMTP, Maildir, sendmail, and logging in."""
