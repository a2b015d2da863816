"""A cluster is called by the words that its texts share; without any it has no name, and is none."""

from __future__ import annotations

from nightgarden.tend.names import count_terms, name_cluster


def test_texts_with_nothing_in_common_have_no_name() -> None:
    shared = ["The billing service sends invoices", "Invoices of billing are in euros", "Late invoices go to billing"]
    strangers = ["Anna likes tea", "The port is 5433", "Releases happen on Mondays"]
    usual = count_terms([*shared, *strangers])
    assert "invoices" in name_cluster(shared, usual, 6)
    assert name_cluster(strangers, usual, 6) == ""
