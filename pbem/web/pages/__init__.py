"""The pages, each a function of what is asked to what is answered."""
