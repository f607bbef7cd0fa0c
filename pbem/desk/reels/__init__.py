"""The reel of a campaign: made from its log, through the eyes that are asked for."""
