"""libllama from the npm package that the worker uses, for greedy decoding of whole prompts."""

import ctypes
import hashlib
import os
import pathlib
import subprocess
import tarfile
import tempfile

import numpy as np

from tiny import vocabulary

URL = "https://registry.npmjs.org/@node-llama-cpp/linux-x64/-/linux-x64-3.22.1.tgz"
SHA256 = "0d953e1503d5ab4608d8ed5b739132308c81ac05ffeb760d2a7f30e08a9f90e0"
STOPS = (vocabulary.RETURN, vocabulary.CALL)
BATCH = 512
ERROR = 4


class ModelParameters(ctypes.Structure):
    """llama_model_params of v0.5.0; only its size matters here."""

    _fields_ = [("fields", ctypes.c_uint64 * 10)]


class ContextParameters(ctypes.Structure):
    """llama_context_params of v0.5.0: its first members by name, the rest as it comes."""

    _fields_ = [
        (name, ctypes.c_uint32)
        for name in ("context", "batch", "micro_batch", "sequences", "recurrent", "outputs", "outputs_per_sequence")
    ]
    _fields_ += [
        ("threads", ctypes.c_int32),
        ("batch_threads", ctypes.c_int32),
        ("rest", ctypes.c_uint8 * (160 - 9 * 4)),
    ]


class Batch(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_int32),
        *[
            (name, ctypes.c_void_p)
            for name in ("tokens", "embeddings", "positions", "sequence_counts", "sequences", "logits")
        ],
    ]


def libraries():
    """The folder of the libraries; fetched once, checked by its hash."""
    cache = (
        pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "counterpoint" / SHA256[:16]
    )
    folder = cache / "package" / "bins" / "linux-x64"
    if not folder.exists():
        with tempfile.TemporaryDirectory() as temporary:
            archive = pathlib.Path(temporary) / "package.tgz"
            subprocess.run(["curl", "-fsSL", "-o", archive, URL], check=True)
            if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
                raise ValueError(f"{URL} is not what it was")
            with tarfile.open(archive) as packed:
                packed.extractall(cache, filter="data")
    return folder


def _load():
    folder = libraries()
    ggml = ctypes.CDLL(str(folder / "libggml.v0.5.0.so"), mode=ctypes.RTLD_GLOBAL)
    llama = ctypes.CDLL(str(folder / "libllama.v0.5.0.so"), mode=ctypes.RTLD_GLOBAL)
    ggml.ggml_backend_load_all_from_path.argtypes = [ctypes.c_char_p]
    ggml.ggml_backend_load_all_from_path(str(folder).encode())
    pointer, integer = ctypes.c_void_p, ctypes.c_int32
    for name, result, arguments in (
        ("llama_model_default_params", ModelParameters, []),
        ("llama_context_default_params", ContextParameters, []),
        ("llama_model_load_from_file", pointer, [ctypes.c_char_p, ModelParameters]),
        ("llama_init_from_model", pointer, [pointer, ContextParameters]),
        ("llama_get_memory", pointer, [pointer]),
        ("llama_memory_clear", None, [pointer, ctypes.c_bool]),
        ("llama_batch_get_one", Batch, [pointer, integer]),
        ("llama_decode", integer, [pointer, Batch]),
        ("llama_get_logits_ith", ctypes.POINTER(ctypes.c_float), [pointer, integer]),
        ("llama_free", None, [pointer]),
        ("llama_model_free", None, [pointer]),
        ("llama_log_set", None, [pointer, pointer]),
    ):
        function = getattr(llama, name)
        function.restype, function.argtypes = result, arguments
    return llama


@ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
def _log(level, text, _):
    if level == ERROR:
        print(text.decode(errors="replace"), end="")


class Llama:
    """A loaded model with one sequence."""

    def __init__(self, path, threads=2, context=4096):
        self.library = _load()
        self.library.llama_log_set(ctypes.cast(_log, ctypes.c_void_p), None)
        self.model = self.library.llama_model_load_from_file(
            str(path).encode(), self.library.llama_model_default_params()
        )
        if not self.model:
            raise ValueError(f"libllama does not load {path}")
        wanted = self.library.llama_context_default_params()
        wanted.context, wanted.batch, wanted.micro_batch, wanted.sequences = context, BATCH, BATCH, 1
        wanted.threads = wanted.batch_threads = threads
        self.context = self.library.llama_init_from_model(self.model, wanted)
        self.memory = self.library.llama_get_memory(self.context)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.llama_free(self.context)
        self.library.llama_model_free(self.model)

    def _feed(self, ids):
        for start in range(0, len(ids), BATCH):
            part = ids[start : start + BATCH]
            tokens = (ctypes.c_int32 * len(part))(*part)
            batch = self.library.llama_batch_get_one(ctypes.cast(tokens, ctypes.c_void_p), len(part))
            if self.library.llama_decode(self.context, batch):
                raise RuntimeError("llama_decode failed")
        return np.ctypeslib.as_array(self.library.llama_get_logits_ith(self.context, -1), (vocabulary.SIZE,))

    def logits(self, prompt):
        """Of the token after the prompt; valid until the next call."""
        self.library.llama_memory_clear(self.memory, True)
        return self._feed(prompt)

    def generate(self, prompt, most=200):
        """The greedy continuation, up to and with a stop token."""
        logits, out = self.logits(prompt), []
        while True:
            out.append(int(logits.argmax()))
            if out[-1] in STOPS or len(out) == most:
                return out
            logits = self._feed(out[-1:])
