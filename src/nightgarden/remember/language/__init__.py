"""What people say when they ask to remember, forbid or put right, per language. Data for the readers, no logic."""

from nightgarden.remember.language.detect import ALL, lexicon_of
from nightgarden.remember.language.lexicon import Guard, Lexicon

__all__ = ["ALL", "Guard", "Lexicon", "lexicon_of"]
