"""Measures one Python peer on the texts in a folder: peer.py NAME FOLDER PASSES TEXT...

Prints lines of `benchmark TAB text TAB first seconds TAB best seconds TAB bytes TAB tokens`. Each peer is asked in the way that is
fastest for it on one thread: arrays come back, no Python lists.
"""
import sys
import time


FRESH_INSTANCES = 3


def seconds(run):
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def measure(benchmark, text, size, passes, fresh):
    """`fresh` gives a new instance that has seen no text; the first pass is the best of several such."""
    runs = [fresh() for _ in range(FRESH_INSTANCES)]
    first = min(seconds(run) for run in runs)
    best = min([first] + [seconds(runs[0]) for _ in range(passes)])
    print(benchmark, text, first, best, size, runs[0](), sep="\t", flush=True)


def quicktok(folder):
    import quicktok

    def encode(documents):
        encoding = quicktok.get_encoding("o200k_base")
        return lambda: len(encoding.encode_batch(documents, threads=1)[0])

    def decode(documents):
        encoding = quicktok.get_encoding("o200k_base")
        tokens = [encoding.encode_ordinary(document) for document in documents]

        def run():
            for ids in tokens:
                encoding.decode(ids)
            return sum(map(len, tokens))

        return run

    return encode, decode


def gigatoken(folder):
    import awkward
    import gigatoken

    def encode(documents):
        tokenizer = gigatoken.Tokenizer.from_tiktoken(folder + "/o200k_base.tiktoken")
        return lambda: int(awkward.count(tokenizer.encode_batch(documents, parallel=False)))

    return encode, None


def main():
    name, folder, passes = sys.argv[1], sys.argv[2], int(sys.argv[3])
    begin = time.perf_counter()
    encode, decode = {"quicktok": quicktok, "gigatoken": gigatoken}[name](folder)
    encode([])
    loaded = time.perf_counter() - begin
    print("load", "-", loaded, loaded, 0, 0, sep="\t")
    for text in sys.argv[4:]:
        with open(folder + "/" + text + ".txt", "rb") as file:
            documents = [document.decode() for document in file.read().split(b"\0")]
        size = sum(len(document.encode()) for document in documents)
        measure("encode", text, size, passes, lambda: encode(documents))
        if decode:
            measure("decode", text, size, passes, lambda: decode(documents))
    measure("encode", "letters", 1_000_000, passes, lambda: encode(["a" * 1_000_000]))


main()
