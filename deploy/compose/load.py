#!/usr/bin/env python3
"""Asks all the time, as ordinary callers do who try nothing twice, and tells which requests failed.

    load.py URL KEY CALLERS STOP

Each of CALLERS asks the model of URL to count, by a stream, a stored answer or Chat Completions in turn, until the file STOP is
there. A request failed unless it was answered with 200 and every word of the answer came, in order. Exit status 0: none failed.
"""

import http.client
import json
import os
import sys
import threading
import time
import urllib.parse

URL, KEY, CALLERS, STOP = urllib.parse.urlsplit(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
HEADERS = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json"}
COUNT = 60
WHOLE = list(range(1, COUNT + 1))
PROMPT = f"Count from 1 to {COUNT}."


def numbers(text):
    return [int(word) for word in text.replace(",", " ").replace(".", " ").split() if word.isdigit()]


class Failed(Exception):
    """A request that was not answered as it should be."""


class Caller(threading.Thread):
    def __init__(self, number, model):
        super().__init__()
        self.number, self.model = number, model
        self.answered, self.failures, self.longest = 0, [], 0.0
        self.connection = None

    def run(self):
        ways = [self.stream, self.stored, self.chat]
        while not os.path.exists(STOP):
            way = ways[(self.number + self.answered) % len(ways)]
            began = time.monotonic()
            try:
                text = way()
                if numbers(text) != WHOLE:
                    raise Failed(f"{len(numbers(text))} numbers that do not count to {COUNT}")
                self.answered += 1
            except (OSError, http.client.HTTPException, ValueError, KeyError, Failed) as failure:
                self.failures.append(f"{time.strftime('%T')} {way.__name__}: {type(failure).__name__} {failure}")
                self.connection = None
                time.sleep(0.2)
            self.longest = max(self.longest, time.monotonic() - began)

    def asked(self, method, path, body=None):
        # Every second caller keeps its connection, as clients with a pool do.
        if self.connection is None or self.number % 2 == 0:
            self.connection = http.client.HTTPConnection(URL.hostname, URL.port, timeout=60)
        self.connection.request(method, path, None if body is None else json.dumps(body), HEADERS)
        answer = self.connection.getresponse()
        if answer.status != 200:
            raise Failed(f"{answer.status} {answer.read(300)!r}")
        return answer

    def stream(self):
        text, ended = "", None
        answer = self.asked("POST", "/v1/responses", {"model": self.model, "stream": True, "input": PROMPT, "reasoning": {"summary": "auto"}})
        for line in answer:
            if line.startswith(b"data: {"):
                event = json.loads(line[len(b"data: "):])
                if event["type"] == "response.output_text.delta":
                    text += event["delta"]
                elif event["type"] in ("response.completed", "response.failed", "response.incomplete", "error"):
                    ended = event["type"]
        if ended != "response.completed":
            raise Failed(f"ended as {ended}")
        return text

    def stored(self):
        made = json.load(self.asked("POST", "/v1/responses", {"model": self.model, "input": PROMPT}))
        kept = json.load(self.asked("GET", "/v1/responses/" + made["id"]))
        return "".join(part["text"] for item in kept["output"] if item["type"] == "message" for part in item["content"])

    def chat(self):
        answer = self.asked("POST", "/v1/chat/completions",
                            {"model": self.model, "messages": [{"role": "user", "content": PROMPT}]})
        return json.load(answer)["choices"][0]["message"]["content"]


def main():
    first = Caller(0, None)
    model = json.load(first.asked("GET", "/v1/models"))["data"][0]["id"]
    callers = [Caller(number, model) for number in range(CALLERS)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    failures = [failure for caller in callers for failure in caller.failures]
    print("\n".join(failures[:20] + [""]) if failures else "", end="")
    print(f"{len(failures)} of {len(failures) + sum(caller.answered for caller in callers)} requests failed; "
          f"the longest took {max(caller.longest for caller in callers):.1f} s")
    return 1 if failures else 0


sys.exit(main())
