"""Another constrained decoder, timed or asked.

mask_peer.py PEER RANKS CASES: plays the cases, timed as ours. PEER is `llguidance` or `xgrammar`, RANKS the file of token
ranks; CASES has one line of JSON for each schema: {"id", "schema" (its text), "tests": [{"valid", "tokens"}]}. Writes one
line of JSON for each: {"id", "refused" (why, or null), "compile_ns" (with the first mask), "step_ns" (mask and accept of
each token), "accepted" (for each instance)}.

mask_peer.py llguidance RANKS: answers questions, a line of JSON each. {"schema"} compiles and is answered
{"refused": why, or null}; then about that schema {"masks": [tokens, ...]} asks for the mask after each sequence, null
where it does not get there, {"accepts": [tokens, ...]} whether each is a whole text, {"complete": [tokens, ...], "seed"}
for a whole text that starts so, null where none is found.

The first line is {"ready": seconds to load the vocabulary}.
"""

import base64
import gc
import json
import random
import sys
import time
import zlib
from types import SimpleNamespace

SIZE = 201_088
FIRST_SPECIAL = 199_998
RETURN = 200_002
PATTERN = "|".join([
    r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
    r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
    r"""\p{N}{1,3}""",
    r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
    r"""\s*[\r\n]+""",
    r"""\s+(?!\S)""",
    r"""\s+""",
])


def ranks(path):
    with open(path, "rb") as file:
        return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in file if line.strip())}


class LlGuidance:
    def __init__(self, path):
        import llguidance
        import llguidance.numpy as masks
        import llguidance.tiktoken

        self.matcher_class = llguidance.LLMatcher
        self.fill = masks.fill_next_token_bitmask
        encoding = SimpleNamespace(
            _mergeable_ranks=ranks(path),
            _special_tokens={f"<|special_{i}|>": i for i in range(FIRST_SPECIAL, SIZE)},
            _pat_str=PATTERN,
            eot_token=RETURN,
        )
        self.tokenizer = llguidance.tiktoken.lltokenizer_from_encoding(encoding, n_vocab=SIZE)
        self.bits = masks.allocate_token_bitmask(1, SIZE)

    def compile(self, schema, **options):
        """A matcher after its first mask."""
        grammar = self.matcher_class.grammar_from_json_schema(schema, overrides=options or None)
        matcher = self.matcher_class(self.tokenizer, grammar, log_level=0)
        if not matcher.is_error():
            self.fill(matcher, self.bits)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def start(self, compiled):
        return compiled.deep_copy()

    def mask(self, matcher):
        self.fill(matcher, self.bits)

    def accept(self, matcher, token):
        return matcher.consume_token(token)

    def accepting(self, matcher):
        return not matcher.is_error() and matcher.is_accepting()


class XGrammar:
    def __init__(self, path):
        import torch
        import xgrammar

        torch.set_num_threads(1)
        tokens = [b""] * SIZE
        for token, rank in ranks(path).items():
            tokens[rank] = token
        for i in range(FIRST_SPECIAL, SIZE):
            tokens[i] = f"<|special_{i}|>".encode()
        info = xgrammar.TokenizerInfo(tokens, xgrammar.VocabType.RAW, vocab_size=SIZE, stop_token_ids=[RETURN])
        self.compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self.matcher_class = xgrammar.GrammarMatcher
        self.bits = xgrammar.allocate_token_bitmask(1, SIZE)

    def compile(self, schema):
        # Its own default but for strict_mode, which would forbid properties that the schema allows.
        compiled = self.compiler.compile_json_schema(schema, any_whitespace=True, strict_mode=False)
        self.matcher_class(compiled).fill_next_token_bitmask(self.bits)
        return compiled

    def start(self, compiled):
        return self.matcher_class(compiled)

    def mask(self, matcher):
        matcher.fill_next_token_bitmask(self.bits)

    def accept(self, matcher, token):
        return matcher.accept_token(token)

    def accepting(self, matcher):
        return matcher.accept_token(RETURN)


def play(peer, compiled, tokens, steps):
    """True if every token is taken and the text may end then."""
    matcher = peer.start(compiled)
    clock = time.perf_counter_ns
    for token in tokens:
        start = clock()
        peer.mask(matcher)
        taken = peer.accept(matcher, token)
        steps.append(clock() - start)
        if not taken:
            return False
    return peer.accepting(matcher)


def measure(peer, case):
    steps = []
    answer = {"id": case["id"], "refused": None, "compile_ns": 0, "step_ns": steps, "accepted": []}
    start = time.perf_counter_ns()
    try:
        compiled = peer.compile(case["schema"])
        answer["compile_ns"] = time.perf_counter_ns() - start
        for test in case["tests"]:
            answer["accepted"].append(play(peer, compiled, test["tokens"], steps))
    except Exception as refusal:  # each peer has its own kinds
        answer["refused"] = (str(refusal).splitlines() or ["?"])[0][:200]
    return answer


class Answers:
    """What llguidance says of one schema after the other."""

    # Blanks as our Spacing.COMMON has them, lest every mask differ by them.
    BLANKS = r"[ \t]{1,2}(\r?\n[ \t]{0,100})?|\r?\n[ \t]{0,100}"
    CLOSING = [b'"', b"}", b"]"]
    TOKENS_MAX = 300

    def __init__(self, peer, path):
        self.peer = peer
        self.compiled = None
        self.tokens = ranks(path)
        self.texts = {rank: token for token, rank in self.tokens.items()}

    def answer(self, question):
        if "schema" in question:
            return {"refused": self.compile(question["schema"])}
        if "masks" in question:
            return {"masks": [self.mask(tokens) for tokens in question["masks"]]}
        if "accepts" in question:
            return {"accepts": [self.accepts(tokens) for tokens in question["accepts"]]}
        chance = random.Random(question["seed"])
        return {"complete": [self.complete(tokens, chance) for tokens in question["complete"]]}

    def compile(self, schema):
        try:
            self.compiled = self.peer.compile(schema, whitespace_pattern=self.BLANKS)
            return None
        except ValueError as refusal:
            return (str(refusal).splitlines() or ["?"])[0][:200]

    def after(self, tokens):
        matcher = self.peer.start(self.compiled)
        return matcher if all(matcher.consume_token(token) for token in tokens) else None

    def mask(self, tokens):
        matcher = self.after(tokens)
        if matcher is None:
            return None
        self.peer.mask(matcher)
        return base64.b64encode(zlib.compress(self.peer.bits.tobytes(), 1)).decode()

    def accepts(self, tokens):
        matcher = self.after(tokens)
        return matcher is not None and self.peer.accepting(matcher)

    def complete(self, tokens, chance):
        """Takes what closes first, else anything."""
        matcher = self.after(tokens)
        text = list(tokens)
        while matcher is not None and len(text) < self.TOKENS_MAX:
            if self.peer.accepting(matcher):
                return text
            self.peer.mask(matcher)
            token = self.next(chance)
            if token is None or not matcher.consume_token(token):
                return None
            text.append(token)
        return None

    def allowed(self, token):
        return self.peer.bits[0, token >> 5] >> (token & 31) & 1

    def next(self, chance):
        closing = [self.tokens[text] for text in self.CLOSING if self.allowed(self.tokens[text])]
        if closing and chance.random() < 0.8:
            return closing[0]
        words = [(i, int(word) & 0xFFFFFFFF) for i, word in enumerate(self.peer.bits[0]) if word]
        tokens = [32 * i + bit for i, word in words for bit in range(32) if word >> bit & 1]
        tokens = [token for token in tokens if token < FIRST_SPECIAL]
        return chance.choice(tokens) if tokens else None


def main():
    start = time.perf_counter()
    peer = {"llguidance": LlGuidance, "xgrammar": XGrammar}[sys.argv[1]](sys.argv[2])
    print(json.dumps({"ready": round(time.perf_counter() - start, 3)}), flush=True)
    if len(sys.argv) == 3:
        answers = Answers(peer, sys.argv[2])
        for line in sys.stdin:
            print(json.dumps(answers.answer(json.loads(line))), flush=True)
        return
    gc.disable()
    with open(sys.argv[3], encoding="utf-8") as cases:
        for line in cases:
            print(json.dumps(measure(peer, json.loads(line))), flush=True)
            gc.collect()


if __name__ == "__main__":
    main()
