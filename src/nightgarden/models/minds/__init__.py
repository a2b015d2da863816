"""Minds over the network: off unless the settings name one, and never beyond a day's tokens."""
