"""How people say things worth keeping, per language: cues, guards and small words. Data for the readers, no logic."""

from nightgarden.remember.language.detect import ALL, lexicon_of
from nightgarden.remember.language.lexicon import Cue, Guard, Lexicon

__all__ = ["ALL", "Cue", "Guard", "Lexicon", "lexicon_of"]
