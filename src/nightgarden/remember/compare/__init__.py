"""How a new statement relates to a known one: the same, a contradiction, more of it, or something else."""

from nightgarden.remember.compare.relation import Comparison, Relation

__all__ = ["Comparison", "Relation"]
