"""What happens where several rooms meet: a letter in every state of the office, a kill between any two steps."""
