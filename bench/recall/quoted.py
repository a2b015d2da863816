"""Figures of other systems on the same questions, measured once on the same kind of machine (two shared cores) with
all-MiniLM-L6-v2 where the system lets one choose. They are quoted, not run: each needs an installation of its own."""

from __future__ import annotations

# system, recall@5, recall@10, search p50 ms
PEERS: tuple[tuple[str, str, str, str], ...] = (
    ("chromadb 1.5.9", ".331", ".425", "1.1"),
    ("qdrant, local", ".331", ".425", "0.5"),
    ("lancedb 0.40.0, hybrid", ".536", ".643", "7.7"),
    ("sqlite-vec + FTS5, RRF", ".445", ".538", "2.0"),
    ("txtai, hybrid", ".486", ".561", "7.4"),
    ("langgraph store 1.2.20", ".331", ".425", "1.1"),
    ("mem0 2.2.1, no inference, qdrant + bm25", ".440", ".530", "225"),
    ("mcp-memory-service, hybrid (1 conversation)", ".452", ".530", "427"),
    ("MemPalace 3.11.0, vector", ".425", ".501", "31"),
    ("Hindsight slim 1.1.0, no model, single", ".245", ".405", "31"),
    ("basic-memory 0.23.2, FTS (1 conversation)", ".528", ".596", "71"),
    ("the LoCoMo paper's dense retriever", "–", ".662", "–"),
)
# The best recall@10 by category among those for which it was measured.
BEST_BY_CATEGORY = {"single": 0.777, "multi": 0.466, "temporal": 0.773, "open": 0.408, "adversarial": 0.723}
