"""Initiative: in chat channels, something worth saying or silence. Feeds, thoughts, gates, channels, delivery."""
