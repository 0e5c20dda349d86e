#!/usr/bin/env python3
"""Reads streams of answers whose every word is known, and tells what is lost, repeated or out of order.

    streams.py URL KEY STREAMS COUNT STARTED

Each of STREAMS callers asks the model of URL to count to COUNT. The file STARTED is made once every caller has seen text, so
that a script can break something then. A stream that breaks is resumed by `starting_after`; one whose response is unknown (404) for ten seconds
has ended as `gone`. Exit status 0: every answer came whole.
"""

import json
import sys
import threading
import time
import urllib.error
import urllib.request

URL, KEY, STREAMS, COUNT, STARTED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
GIVE_UP = time.monotonic() + 400
GONE_SECONDS = 10
HEADERS = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json"}


def opened(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(URL + path, data, HEADERS), timeout=60)


def events(answer):
    for line in answer:
        if line.startswith(b"data: {"):
            yield json.loads(line[len(b"data: "):])


class Caller(threading.Thread):
    """One stream, taken up as often as it breaks."""

    def __init__(self, model):
        super().__init__()
        self.model, self.next, self.text, self.id = model, 0, "", None
        self.ended, self.faults, self.taken_up, self.pause, self.unknown_since = None, [], 0, 0.0, None

    def run(self):
        self.last = time.monotonic()
        while self.ended is None and time.monotonic() < GIVE_UP:
            try:
                for event in events(self.asked()):
                    self.unknown_since = None
                    self.seen(event)
            except (OSError, urllib.error.URLError, ValueError) as broken:
                if isinstance(broken, urllib.error.HTTPError) and broken.code not in (404, 429, 500, 502, 503, 504):
                    self.faults.append(f"refused with {broken.code}")
                    return
                self.missed(isinstance(broken, urllib.error.HTTPError) and broken.code == 404)
            if self.ended is None:
                time.sleep(0.3)
                self.taken_up += 1

    def asked(self):
        if self.id is None:
            # In the background, so that a proxy that is killed does not look like a caller who left.
            return opened("/v1/responses", {"model": self.model, "stream": True, "background": True,
                                            "input": f"Count from 1 to {COUNT}."})
        return opened(f"/v1/responses/{self.id}?stream=true&starting_after={self.next - 1}")

    def seen(self, event):
        self.pause = max(self.pause, time.monotonic() - self.last)
        self.last = time.monotonic()
        if event["sequence_number"] != self.next:
            self.faults.append(f"event {event['sequence_number']} where {self.next} was due")
        self.next = event["sequence_number"] + 1
        if event["type"] == "response.created":
            self.id = event["response"]["id"]
        elif event["type"] == "response.output_text.delta":
            self.text += event["delta"]
        elif event["type"] in ("response.completed", "response.failed", "response.incomplete"):
            if self.ended is not None:
                self.faults.append("a second ending")
            self.ended = event["type"]

    def missed(self, unknown):
        self.unknown_since = (self.unknown_since or time.monotonic()) if unknown else None
        if unknown and time.monotonic() - self.unknown_since > GONE_SECONDS:
            self.ended = "gone"

    def verdict(self):
        if self.ended != "response.completed":
            self.faults.append(f"ended as {self.ended}")
        numbers = [int(word) for word in self.text.replace(",", " ").replace(".", " ").split() if word.isdigit()]
        if numbers != list(range(1, COUNT + 1)):
            self.faults.append(f"{len(numbers)} numbers that do not count to {COUNT}")
        return self.faults


def main():
    model = json.load(opened("/v1/models"))["data"][0]["id"]
    callers = [Caller(model) for _ in range(STREAMS)]
    for caller in callers:
        caller.start()
    while not all(caller.text or caller.ended for caller in callers) and time.monotonic() < GIVE_UP:
        time.sleep(0.05)
    with open(STARTED, "w", encoding="utf-8"):
        pass
    for caller in callers:
        caller.join()
    faults = [f"{caller.id}: {fault}" for caller in callers for fault in caller.verdict()]
    print("\n".join(faults) if faults else f"{STREAMS} answers came whole; taken up "
          f"{sum(caller.taken_up for caller in callers)} times, longest pause {max(caller.pause for caller in callers):.1f} s")
    return 1 if faults else 0


sys.exit(main())
