"""The simulated engine understands no language: a script under the question says what it does."""

import os

# Whether the content of an answer is known beforehand: that of a script, or of gpt-oss. The form is known of every model.
checked = bool(os.environ.get("COUNTERPOINT_CHECKED"))


def scripted(question: str, script: str) -> str:
    """The question; with the script for the stand-in alone."""
    return f"{question}\n{script}" if os.environ.get("COUNTERPOINT_STAND_IN") else question
