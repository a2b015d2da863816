"""What a purge leaves to be done, as notes in the store: they hold ids alone."""

UNFINISHED = "purge.unfinished"  # erased, but their text may still stand in free pages and logs
COPIES = "purge.copies"  # erased here, but perhaps not in every copy
LOCK = "copies"  # held while copies of the garden are made, changed or let go
