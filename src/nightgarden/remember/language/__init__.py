"""How people say things worth keeping, per language: cues, guards and small words. Data for the readers, no logic."""

from nightgarden.remember.language.detect import ALL, lexicon_of
from nightgarden.remember.language.lexicon import Guard, Lexicon, LexiconCue

__all__ = ["ALL", "Guard", "Lexicon", "LexiconCue", "lexicon_of"]
