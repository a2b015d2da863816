"""Language models behind one interface: off unless set up, each call in a ledger, none beyond the caps."""
