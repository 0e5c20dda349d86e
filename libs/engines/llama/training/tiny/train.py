"""Trains the model on conversations that are made as it goes; stops after a budget of tokens and can be resumed.

python -m tiny.train checkpoint.pt --million-tokens 56 --threads 2
"""

import argparse
import collections
import math
import os
import pathlib
import random
import signal
import time

import torch
import torch.nn.functional as F

from tiny import vocabulary
from tiny.architecture import Tiny
from tiny.conversations.mixture import sample
from tiny.optimizer import Muon

TOKENS_PER_STEP = 4096
POOL = 600
STRANGERS = 512
COUNTED_SAMPLES = 30_000
KEPT_FROM = 18
WARM_UP = 60
MATRIX_RATE, OTHER_RATE = 5e-3, 1.5e-3
DECAY_FROM, LAST_RATE = 0.3, 0.01
EVENNESS = 0.01
LOG_SECONDS = 30
CONTROL = (
    vocabulary.START,
    vocabulary.END,
    vocabulary.RETURN,
    vocabulary.CALL,
    vocabulary.CHANNEL,
    vocabulary.MESSAGE,
    vocabulary.CONSTRAIN,
)


def phase(progress):
    """How the data changes: copying first and short prompts, the real ones with their history at the end."""
    if progress < 0.12:
        return dict(full=0.05, history=0.02, copying=0.3)
    if progress < 0.35:
        return dict(full=0.08, history=0.05)
    if progress < 0.65:
        return dict(full=0.4, history=0.12)
    return dict(full=0.9, history=0.2) if progress < 0.87 else dict(full=1.0, history=0.35)


def rate(step, progress):
    """Warm-up, a plateau, and one long decay."""
    warm = min(1, (step + 1) / WARM_UP)
    return warm * max(LAST_RATE, min(1, (1 - progress) / (1 - DECAY_FROM)))


def kept_ids(rng):
    """The ids that get rows of their own: what conversations use often, all numbers, and the control tokens."""
    seen = collections.Counter()
    for _ in range(COUNTED_SAMPLES):
        seen.update(sample(rng, full=1.0).ids)
    numbers = {vocabulary.encode(str(number))[0] for number in range(1000)}
    return sorted({token for token, count in seen.items() if count >= KEPT_FROM} | numbers | set(CONTROL))


class Batches:
    """Batches of about equally long samples. `pending` and the generator's state are the position in the data."""

    def __init__(self, rng):
        self.rng = rng
        self.pending = []

    def next(self, progress):
        if not self.pending:
            self._refill(**phase(progress))
        return self.pending.pop()

    def _refill(self, **mixture):
        pool = [sample(self.rng, **mixture) for _ in range(POOL)]
        pool.sort(key=lambda one: len(one.ids))
        batch = []
        for one in pool:
            if batch and len(one.ids) * (len(batch) + 1) > TOKENS_PER_STEP:
                self.pending.append(batch)
                batch = []
            batch.append((one.behaviour, one.ids, one.learned))
        self.pending.append(batch)
        self.rng.shuffle(self.pending)


class Trainer:
    def __init__(self, kept, seed):
        torch.manual_seed(seed)
        self.kept = kept
        self.model = Tiny(kept)
        self.batches = Batches(random.Random(seed))
        self.step, self.tokens, self.seconds = 0, 0, 0.0
        self.kept_rows = torch.tensor(kept)
        layers = [*self.model.attention.parameters(), *self.model.experts.parameters()]
        matrices = [each for each in layers if each.dim() >= 2 and min(each.shape[-2:]) >= 64]
        chosen = set(map(id, matrices))
        self.others = [each for each in self.model.parameters() if id(each) not in chosen]
        self.muon = Muon(matrices, MATRIX_RATE)
        self.adam = torch.optim.AdamW(self.others, OTHER_RATE, betas=(0.9, 0.98), weight_decay=0.0)

    def state(self):
        return dict(
            kept=self.kept,
            model=self.model.state_dict(),
            muon=self.muon.state_dict(),
            adam=self.adam.state_dict(),
            step=self.step,
            tokens=self.tokens,
            seconds=self.seconds,
            data=self.batches.rng.getstate(),
            pending=self.batches.pending,
            torch=torch.get_rng_state(),
        )

    def restore(self, state):
        self.model.load_state_dict(state["model"])
        self.muon.load_state_dict(state["muon"])
        self.adam.load_state_dict(state["adam"])
        self.step, self.tokens, self.seconds = state["step"], state["tokens"], state["seconds"]
        self.batches.rng.setstate(state["data"])
        self.batches.pending = state["pending"]
        torch.set_rng_state(state["torch"])

    def train(self, progress):
        """One step; gives for each sample its behaviour, its loss, its learned tokens and whether all were right."""
        began = time.monotonic()
        for optimizer, highest in ((self.muon, MATRIX_RATE), (self.adam, OTHER_RATE)):
            for group in optimizer.param_groups:
                group["lr"] = highest * rate(self.step, progress)
        batch = self.batches.next(progress)
        ids, learned = _padded(batch)
        hidden, unevenness = self.model(ids)
        losses, right = self._losses(hidden[:, :-1][learned], ids[:, 1:][learned], ids)
        (losses.mean() + EVENNESS * unevenness).backward()
        torch.nn.utils.clip_grad_norm_(self.others, 1.0)
        for optimizer in (self.muon, self.adam):
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.step, self.tokens = self.step + 1, self.tokens + ids.numel()
        self.seconds += time.monotonic() - began
        counts = learned.sum(1).tolist()
        return [
            (one[0], loss.sum().item(), len(loss), bool(good.all()))
            for one, loss, good in zip(batch, losses.detach().split(counts), right.split(counts))
        ]

    def _losses(self, hidden, targets, ids):
        """Cross-entropy over the kept ids, those of the batch, and a few others that stand for all the rest."""
        present = torch.unique(ids)
        present = present[self.model.rows[present] == 0]
        strangers = torch.randint(0, vocabulary.TEXT, (STRANGERS,))
        strangers = strangers[(self.model.rows[strangers] == 0) & ~torch.isin(strangers, present)]
        candidates = torch.cat([self.kept_rows, present, strangers])
        scores = hidden @ self.model.output_of(candidates).T
        stand_for = torch.zeros(len(candidates))
        stand_for[len(candidates) - len(strangers) :] = math.log(200_000 / len(strangers))
        place = torch.full((vocabulary.SIZE,), -1)
        place[candidates] = torch.arange(len(candidates))
        return F.cross_entropy(scores + stand_for, place[targets], reduction="none"), scores.argmax(-1) == place[
            targets
        ]


def _padded(batch):
    """The ids as a rectangle, and which of their successors are learned."""
    length = max(len(ids) for _, ids, _ in batch)
    padded = torch.full((len(batch), length), vocabulary.PADDING)
    learned = torch.zeros(len(batch), length, dtype=torch.bool)
    for row, (_, ids, mask) in enumerate(batch):
        padded[row, : len(ids)] = torch.tensor(ids)
        learned[row, : len(ids)] = torch.tensor(mask)
    return padded, learned[:, 1:]


class Log:
    """Prints, per behaviour, the share of samples that are right to the last token when led, and the loss per token."""

    def __init__(self):
        self.rows = collections.defaultdict(lambda: [0, 0, 0.0, 0])
        self.printed = time.monotonic()

    def add(self, results):
        for behaviour, loss, tokens, right in results:
            row = self.rows[behaviour]
            row[:] = row[0] + 1, row[1] + right, row[2] + loss, row[3] + tokens

    def print(self, trainer, progress):
        shares = "  ".join(
            f"{name} {right / count:.3f} {loss / tokens:.3f}"
            for name, (count, right, loss, tokens) in sorted(self.rows.items())
        )
        print(
            f"{trainer.seconds / 60:.1f} min  step {trainer.step}  {trainer.tokens / 1e6:.2f} M tokens  "
            f"rate {rate(trainer.step, progress):.3f}  {shares}",
            flush=True,
        )
        self.rows.clear()
        self.printed = time.monotonic()


def save(state, path):
    """Never leaves half a file."""
    beside = path.with_suffix(".part")
    torch.save(state, beside)
    os.replace(beside, path)


def load(path):
    return torch.load(path, weights_only=False)


def load_model(path):
    state = load(path)
    model = Tiny(state["kept"])
    model.load_state_dict(state["model"])
    return model.eval(), state["kept"]


def begin(path, seed):
    if path.exists():
        state = load(path)
        trainer = Trainer(state["kept"], seed)
        trainer.restore(state)
        print(f"resumed at {trainer.seconds / 60:.1f} min, step {trainer.step}", flush=True)
        return trainer
    trainer = Trainer(kept_ids(random.Random(seed + 1)), seed)
    count = sum(each.numel() for each in trainer.model.parameters())
    print(f"{count:,} parameters, {len(trainer.kept):,} ids with rows of their own", flush=True)
    return trainer


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkpoint", type=pathlib.Path, help="written every few minutes; resumed from when it exists")
    options.add_argument(
        "--million-tokens", type=float, default=56, help="the whole budget, padding included; shapes the schedule"
    )
    options.add_argument("--stop-after", type=float, help="leave after so many minutes of this run, to be resumed")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--save-minutes", type=float, default=3)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    trainer, log = begin(chosen.checkpoint, chosen.seed), Log()
    saved, started = time.monotonic(), trainer.seconds
    budget = chosen.million_tokens * 1e6
    time_limit = started + (chosen.stop_after or math.inf) * 60
    asked_to_stop = []
    signal.signal(signal.SIGTERM, lambda *_: asked_to_stop.append(True))
    while trainer.tokens < budget and trainer.seconds < time_limit and not asked_to_stop:
        progress = trainer.tokens / budget
        log.add(trainer.train(progress))
        if time.monotonic() - log.printed > LOG_SECONDS:
            log.print(trainer, progress)
        if time.monotonic() - saved > chosen.save_minutes * 60:
            save(trainer.state(), chosen.checkpoint)
            saved = time.monotonic()
    save(trainer.state(), chosen.checkpoint)
    print(
        f"{'done' if trainer.tokens >= budget else 'left'} at {trainer.seconds / 60:.1f} min, step {trainer.step}, {trainer.tokens / 1e6:.2f} M tokens", flush=True
    )


if __name__ == "__main__":
    main()
