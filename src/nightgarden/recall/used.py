"""Whether an answer used a memory that it was shown. Pure.

By words: an answer that holds most of what only the memory said has used it. An agent that follows a memory in other
words is not recognised, and a memory that says nothing the prompt did not say cannot be.
"""

from __future__ import annotations

from nightgarden.domain.text import query_terms

_SHARE = 0.6  # of the memory's own terms; taste, on the careful side: a false "used" makes a memory surer
_TERMS_MIN = 3


def was_used(content: str, *, prompt: str, answer: str) -> bool:
    """Whether `answer`, given to `prompt`, holds what only the memory said."""
    own = set(query_terms(content)) - set(query_terms(prompt))
    shared = own & set(query_terms(answer))
    return len(own) >= _TERMS_MIN and len(shared) >= max(_TERMS_MIN, _SHARE * len(own))
