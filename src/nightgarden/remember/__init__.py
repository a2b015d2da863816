"""How things come to be remembered: rules of refusal, verdicts, extraction from sessions."""
