"""Ways in: mailbox, Maildir, LMTP."""
