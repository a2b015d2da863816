"""How a new statement relates to a known one: the same, a contradiction, more of it, or something else."""

from nightgarden.remember.compare.relate_words import compare
from nightgarden.remember.compare.relation import RULES, Comparison, Relation

__all__ = ["RULES", "Comparison", "Relation", "compare"]
