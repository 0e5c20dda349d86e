"""Plays clients one after the other and says of each whether it passed."""

import traceback


def play_all(plays):
    """plays: what to call, by the client's name. Returns whether one failed."""
    failed = False
    for name, play in plays.items():
        try:
            play()
            print(f"passed  {name}")
        except Exception:
            failed = True
            print(f"FAILED  {name}")
            traceback.print_exc()
    return failed
