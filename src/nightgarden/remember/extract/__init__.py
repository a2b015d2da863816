"""Extraction: what a session's messages say that is worth keeping, read without a model or with one."""

from nightgarden.remember.extract.extraction import extract

__all__ = ["extract"]
