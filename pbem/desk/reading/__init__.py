"""What is shown to whoever has come in by the web: made of what its reader may know, as letters are."""
