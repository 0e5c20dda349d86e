"""A small model of one response's log: who appends what, and what a reader makes of it. No code of the product runs.

The model walks through every order in which a gateway, the workers and the owners of a response can act, with lost
appends, killed workers, tickets that are read twice, cancels, steers and late decisions. It checks every state for safety, and
checks that the response still ends once nothing goes wrong any more. Then it breaks one rule at a time
and checks that the walk notices.

    python3 log_model.py                         the full walk, and every broken rule (minutes)
    python3 log_model.py --bounded               fewer misfortunes, for a build (seconds)
    python3 log_model.py [--bounded] intact      only the walk with every rule intact
    python3 log_model.py [--bounded] no-gap      only one broken rule, with the steps that lead to the violation

Exit status 0: the intact rules hold, and each broken rule had the effect that BROKEN says.
"""
import sys
import time
from collections import deque
from typing import NamedTuple

ANSWER = 2      # tokens of a complete answer
ATTEMPTS = 3    # the owner ends the response after so many
WORKERS = 2
CALM_STEPS = 60  # more than any response needs to its end once nothing goes wrong any more

# Each broken rule with the check that must fail. A rule with 'none' is not needed for any property that is checked
# here; its text says what it costs to break the rule.
BROKEN = {
    # What a reader counts.
    'no-void': ('safety', 'frames of a worker that does not hold the response count'),
    'no-gap': ('safety', 'frames after a gap count'),
    'any-end': ('safety', 'frames after the end count'),
    'late-end': ('safety', 'any end counts: of any worker, with any number of frames missing before it'),
    'last-fence': ('safety', 'a later fence of the same attempt takes the response over'),
    'no-current': ('safety', 'a fence of an earlier attempt counts'),
    'no-accepted': ('safety', 'one reader counts frames although `accepted` is not in the log'),
    'before-accepted': ('safety', 'one reader counts frames before `accepted`, once `accepted` is there'),
    'no-reissue': ('progress', 'no further attempt opens'),
    # What a worker does.
    'blind-prefix': ('safety', 'a worker reads the log before it sends its fence, and not up to its fence'),
    'early-resent': ('safety', 'a worker speaks early for a ticket of a later attempt'),
    'end-unchecked': ('safety', 'a worker that spoke early sends trace and end without a verdict'),
    'early-trace': ('safety', 'a worker sends its audit trace before the verdict'),
    'early-end': ('safety', 'a worker sends its end before the verdict, and so before its audit trace'),
    'loser-continues': ('safety', 'a worker continues although another fence won'),
    'unheard-continues': ('safety', 'a worker that finds no `accepted` continues as if its fence had won'),
    'void-continues': ('safety', 'a worker whose fence stands before `accepted` continues as if its fence had won'),
    'again-continues': ('safety', 'a worker that begins again continues behind the tokens that it spoke before'),
    # Steers.
    'late-steer': ('safety', 'a steer after the end counts'),
    'steer-again': ('safety', 'a copy of a steer counts once more'),
    'steer-per-attempt': ('safety', 'a reissue forgets the steers before it'),
    'steer-unread': ('safety', 'a gateway accepts a steer that it has not read back'),
    'stop-before-steer': ('safety', 'a gateway sends the stop before it has read the steer back'),
    'steered-early': ('safety', 'a worker ends at a steer before the verdict'),
    # What the owner does.
    'taken-is-held': ('progress', 'the owner sends a ticket again only if its worker died or did not take it'),
    # Not needed for what is checked here.
    'early-resent-first': ('none', 'a worker speaks early for a re-sent ticket of attempt 1: may waste tokens'),
    'old-early': ('none', 'a worker speaks early for an old ticket of attempt 1: may waste tokens'),
    'again-early': ('none', 'a worker that begins again speaks early: may waste tokens'),
    'void-stops': ('none', 'a worker whose fence stands before `accepted` stops: the owner must send the ticket again'),
    'same-nonce': ('none', 'a worker that begins again keeps its nonce: one key would seal two texts at one place'),
    'resumed-deaf': ('none', 'a worker that resumes ignores the steers in its log: it wastes tokens'),
    'two-producers': ('none', 'tokens may overtake their fence: the attempt is lost'),
    'count-before': ('none', 'all readers count frames before `accepted`, once `accepted` is there'),
}


class Bounds(NamedTuple):
    """How often each misfortune may happen, and all together. `accepted` and the first ticket may always be lost."""
    twice: int    # a ticket is taken and read again: after a rebalance, or by two workers that both own the partition
    lost: int     # an append of a worker is lost, a fence or a token
    killed: int   # a worker dies
    cancels: int
    resent: int   # an owner sends a ticket, needed or not, of the current attempt or of an earlier one
    steers: int   # a gateway appends a steer, a new one or a copy of an earlier one
    total: int


FULL = Bounds(twice=2, lost=2, killed=2, cancels=1, resent=3, steers=2, total=5)
BOUNDED = Bounds(twice=1, lost=1, killed=1, cancels=1, resent=1, steers=2, total=3)
CALM = Bounds(0, 0, 0, 0, 0, 0, 0)
ENDED = CALM._replace(cancels=1, steers=1, total=1)


class Reading(NamedTuple):
    """What a reader makes of the log so far. A reader folds each frame into it and remembers nothing else."""
    accepted: bool = False
    attempt: int = 1
    fenced: tuple = ()  # attempts that have their fence; only the current one matters
    holder: int = 0     # nonce of the worker whose frames count
    next: int = 0       # `seq` of the holder's next frame
    gap: bool = False
    tokens: tuple = ()
    steers: tuple = ()  # numbers of the steers that count, in order
    end: str = ''       # 'done' or 'steered' by a worker, or 'owner'


class Worker(NamedTuple):
    """A worker has at most one job here.

    idle: no job. early: speaks, and has not checked its log. fenced: reads the log up to its fence before it speaks.
    running: its fence won. unfenced: has not sent its fence; only two broken rules lead there.
    """
    phase: str = 'idle'
    attempt: int = 0
    nonce: int = 0
    seq: int = 0
    position: int = 0  # in the answer, of the next token
    fence: str = ''    # what the log up to its fence makes of it: 'won', 'lost', or 'void' where `accepted` is missing
    steered: bool = False  # it has heard of a steer, and ends as soon as it may


IDLE = Worker()


class State(NamedTuple):
    log: int = 0            # index in Model.logs
    accepted: str = 'sent'  # or 'late': the gateway gave it up, and it may arrive; 'there', 'there late', 'lost'
    ticket: str = 'sent'    # of the gateway: 'sent', 'there', 'lost'
    inbox: tuple = ()       # tickets to take, as (attempt, 'new' | 'old' | 'resent'), in order
    workers: tuple = (IDLE,) * WORKERS  # in order: workers are alike, so states that differ only in their order are one
    left: Bounds = FULL
    stop: bool = False      # a stop command was sent; a worker hears it at any time, or never
    steers: int = 0     # how many different steers were appended
    steer: bool = False  # the command to stop at a steer was sent; a worker hears it at any time, or never
    known_lost: bool = False  # the owner knows that no worker has the ticket; counted only for taken-is-held


class Violation(Exception):
    """A broken promise. `states` and `steps` say after how many states it was found, and the way there."""
    states = 0
    steps = ()


class Model:
    def __init__(self, broken, bounds):
        self.broken = broken
        self.bounds = bounds
        # What two readers make of a log: one begins at the id's time, one at the offset of `accepted`. Logs that both
        # readers read alike are one log here, because nothing that follows can tell them apart.
        self.logs = [(Reading(), Reading())]
        self.numbers = {self.logs[0]: 0}
        self.appended = {}
        self.settled = {}

    # ---- what readers make of a log ----

    def fold(self, r, frame):
        """The reading after one more frame."""
        broken = self.broken
        kind, *rest = frame
        if r.end and broken != 'any-end' and not (kind == 'steer' and broken == 'late-steer'):
            return r
        if kind == 'accepted':
            return r._replace(accepted=True)
        if not r.accepted and broken not in ('no-accepted', 'before-accepted', 'count-before'):
            return r  # frames before `accepted` are void
        if kind == 'reissue':
            [attempt] = rest
            if attempt == r.attempt + 1 and broken != 'no-reissue':  # only the next number opens
                steers = () if broken == 'steer-per-attempt' else r.steers
                return r._replace(attempt=attempt, fenced=r.fenced if broken == 'no-current' else (), steers=steers)
        elif kind == 'fence':
            attempt, nonce = rest
            current = attempt == r.attempt or broken == 'no-current'
            first = attempt not in r.fenced or broken == 'last-fence'
            if current and first:
                return r._replace(fenced=r.fenced + (attempt,), holder=nonce, next=0, gap=False)
        elif kind == 'token':
            nonce, seq, position = rest
            if nonce != r.holder and broken != 'no-void':
                return r
            if seq < r.next and broken not in ('no-gap', 'no-void'):
                return r  # a copy
            if seq != r.next and broken != 'no-gap':
                return r._replace(gap=True)  # nothing of this attempt counts any more
            if not r.gap:
                return r._replace(next=seq + 1, tokens=r.tokens + (position,))
        elif kind == 'end':
            nonce, frames, how = rest
            ours = nonce == r.holder or broken in ('no-void', 'late-end')
            complete = not r.gap and frames == r.next or broken in ('no-gap', 'late-end')
            if ours and complete:
                return r._replace(end=how)
        elif kind == 'steer':
            [number] = rest
            if number not in r.steers or broken == 'steer-again':  # the first copy counts
                return r._replace(steers=r.steers + (number,))
        elif kind == 'owner end':
            return r._replace(end='owner')
        return r

    def said(self, r):
        """The tokens, the steers and the end that this reader has passed on."""
        return (r.tokens, r.steers, r.end) if r.accepted or self.broken == 'no-accepted' else ((), (), '')

    def append(self, s, *frame):
        """The state after an append. Fails if the append breaks a promise."""
        key = (s.log, frame)
        number = self.appended.get(key)
        if number is None:
            first, second = self.logs[s.log]
            sees = second.accepted or frame[0] == 'accepted' or self.broken == 'count-before'
            after = (self.fold(first, frame), self.fold(second, frame) if sees else second)
            self.require_safe(self.logs[s.log], after, frame)
            number = self.numbers.setdefault(after, len(self.logs))
            if number == len(self.logs):
                self.logs.append(after)
            self.appended[key] = number
        return s._replace(log=number)

    def view(self, s):
        """What a worker and the owner make of the log."""
        return self.logs[s.log][1]

    def require_safe(self, before, after, frame):
        def require(holds, what):
            if not holds:
                raise Violation(f'{what}, after {frame}')

        for old, new in zip(before, after):
            old_tokens, old_steers, old_end = self.said(old)
            tokens, steers, end = self.said(new)
            require(tokens == tuple(range(len(tokens))), f'a gap or a repeat: {tokens}')
            require(end != 'done' or len(tokens) == ANSWER, f'completed with {len(tokens)} of {ANSWER} tokens')
            require(tokens[:len(old_tokens)] == old_tokens, 'a reader has to take back a token')
            require(end != 'steered' or steers, 'ended at a steer that does not count')
            require(len(set(steers)) == len(steers), f'a steer counts twice: {steers}')
            require(steers[:len(old_steers)] == old_steers, 'a reader has to take back a steer')
            require(not old_end or self.said(new) == self.said(old), 'a frame counts after the end')
            require(new.accepted or not tokens and not end, 'a frame counts without `accepted`')
        require(self.said(after[0]) == self.said(after[1]), 'two readers disagree')

    # ---- who can do what: each yields (step, state after it) ----

    def steps(self, s):
        yield from self.gateway(s)
        if s.left.cancels:
            yield 'cancel', self.append(self.less(s, 'cancels'), 'owner end')._replace(stop=True)
        for i, worker in enumerate(s.workers):
            if i and worker == s.workers[i - 1]:
                continue  # it would do the same
            yield from self.take(s, i) if worker == IDLE else self.work(s, i, worker)
        yield from self.owner(s)
        if s.left.steers:
            yield from self.steer(s)

    def steer(self, s):
        """One of several gateways appends a steer, or the copy of one. It reads it back, then accepts it, and sends
        the command to stop."""
        for number in range(1, s.steers + 2):
            sent = self.less(s, 'steers')._replace(steers=max(s.steers, number))
            after = self.append(sent, 'steer', number)
            counts = number in self.view(after).steers
            if self.broken == 'steer-unread' and not counts:
                raise Violation('a steer was accepted and does not count')
            yield f'steer {number}', after._replace(steer=s.steer or counts)
        if self.broken == 'stop-before-steer':
            yield 'the stop for a steer', s._replace(steer=True)

    def gateway(self, s):
        """`accepted` and the first ticket are two appends. Either may be lost, and they may arrive in any order."""
        if s.accepted in ('sent', 'late'):
            there = 'there' if s.accepted == 'sent' else 'there late'
            yield '`accepted` is appended', self.append(s, 'accepted')._replace(accepted=there)
            withdrawn = self.append(s, 'owner end')._replace(stop=True)
            yield '`accepted` is lost; the gateway withdraws', withdrawn._replace(accepted='lost')
            if s.accepted == 'sent':
                yield 'the gateway withdraws; `accepted` may still arrive', withdrawn._replace(accepted='late')
        if s.ticket == 'sent':
            yield 'the ticket is appended', enqueue(s._replace(ticket='there'), 1, 'new')
            yield 'the ticket is lost', self.without_ticket(s._replace(ticket='lost'), 1)

    def take(self, s, i):
        """An idle worker takes a ticket: it commits the offset and sends its fence."""
        for ticket in sorted(set(s.inbox)):
            attempt, kind = ticket
            rest = list(s.inbox)
            rest.remove(ticket)
            taken = s._replace(inbox=tuple(rest))
            yield from self.begin(taken, i, ticket, f'a worker takes {ticket}')
            if s.left.twice:
                for again in sorted({kind, 'old' if kind == 'new' else kind}):
                    both = enqueue(self.less(taken, 'twice'), attempt, again)
                    yield from self.begin(both, i, ticket, f'a worker takes {ticket}, to be read again as {again}')
            if s.left.killed:
                dead = self.without_ticket(self.less(taken, 'killed'), attempt)
                yield f'a worker takes {ticket} and dies before its fence', dead
            if kind == 'new':
                yield 'a rebalance makes the ticket old', enqueue(taken, attempt, 'old')

    def begin(self, s, i, ticket, step):
        attempt, kind = ticket
        early = (kind == 'new'
                 or kind == 'resent' and self.broken == 'early-resent'
                 or kind == 'resent' and self.broken == 'early-resent-first' and attempt == 1
                 or kind == 'old' and self.broken == 'old-early')
        if early and self.broken == 'two-producers':
            yield step, with_worker(s, i, Worker('unfenced', attempt, self.fresh_nonce(s)))
        elif not early and self.broken == 'blind-prefix':
            prefix = len(self.view(s).tokens)
            yield step, with_worker(s, i, Worker('unfenced', attempt, self.fresh_nonce(s), position=prefix))
        else:
            yield step, self.fence(s, i, Worker('early' if early else 'fenced', attempt, self.fresh_nonce(s)))
        if s.left.lost:
            yield step + '; its fence is lost, and it stops', self.less(s, 'lost')

    def fence(self, s, i, worker, prefix_known=False):
        """The worker sends its fence. What it will read up to there is settled with that."""
        s = self.append(s, 'fence', worker.attempt, worker.nonce)
        up_to_fence = self.view(s)
        if not up_to_fence.accepted and self.broken != 'count-before':
            fence = 'void'
        else:
            fence = 'won' if up_to_fence.holder == worker.nonce and not up_to_fence.end else 'lost'
        if worker.phase == 'fenced' and not prefix_known:
            steered = bool(up_to_fence.steers) and self.broken != 'resumed-deaf'
            worker = worker._replace(position=len(up_to_fence.tokens), steered=steered)
        return with_worker(s, i, worker._replace(fence=fence))

    def fresh_nonce(self, s):
        """The smallest one that is out of use, so that states that differ only in old nonces are one."""
        used = {worker.nonce for worker in s.workers} | {reading.holder for reading in self.logs[s.log]}
        return next(nonce for nonce in range(1, 99) if nonce not in used)

    def work(self, s, i, worker):
        if worker.phase == 'unfenced':
            phase = 'early' if self.broken == 'two-producers' else 'fenced'
            yield 'its fence is appended', self.fence(s, i, worker._replace(phase=phase), prefix_known=True)
        if worker.phase in ('early', 'fenced'):
            yield from self.verdict(s, i, worker)
        if worker.phase in ('early', 'running') or self.broken == 'two-producers':
            yield from self.speak(s, i, worker)
        if s.stop:
            yield 'a worker hears the stop command', with_worker(s, i, IDLE)
        if s.steer and not worker.steered:
            yield 'a worker hears of the steer', with_worker(s, i, worker._replace(steered=True))
        if s.left.killed:
            yield 'a worker dies', self.without_ticket(with_worker(self.less(s, 'killed'), i, IDLE), worker.attempt)

    def verdict(self, s, i, worker):
        """The worker reads its log from the id's time up to its fence, and on until it finds `accepted`."""
        idle = with_worker(s, i, IDLE)
        continues_ = with_worker(s, i, worker._replace(phase='running'))
        accepted = self.view(s).accepted
        if not accepted:
            yield 'no `accepted` in time; the worker stops', continues_ if self.broken == 'unheard-continues' else idle
        elif worker.fence == 'won':
            yield 'the fence has won', continues_
        elif worker.fence == 'lost':
            yield 'the fence has lost; the worker stops', continues_ if self.broken == 'loser-continues' else idle
        elif self.broken == 'void-continues':
            yield 'the fence is void; the worker continues', continues_
        elif self.broken == 'void-stops':
            yield 'the fence is void; the worker stops', idle
        else:
            yield 'the fence is void; the worker begins again', self.again(s, i, worker)

    def again(self, s, i, worker):
        """The same attempt with a new nonce, by reading the log first."""
        fresh = Worker(
            'early' if self.broken == 'again-early' else 'fenced',
            worker.attempt,
            worker.nonce if self.broken == 'same-nonce' else self.fresh_nonce(s))
        if self.broken == 'again-continues':
            return self.fence(s, i, fresh._replace(position=worker.position), prefix_known=True)
        return self.fence(s, i, fresh)

    def speak(self, s, i, worker):
        if worker.steered and (worker.phase == 'running' or self.broken == 'steered-early'):
            yield from self.end(s, i, worker, 'steered')
            return
        if worker.position < ANSWER:
            on = worker._replace(seq=worker.seq + 1, position=worker.position + 1)
            frame = ('token', worker.nonce, worker.seq, worker.position)
            yield frame, with_worker(self.append(s, *frame), i, on)
            if s.left.lost:
                yield ('lost', *frame), with_worker(self.less(s, 'lost'), i, on)
            return
        yield from self.end(s, i, worker, 'done')

    def end(self, s, i, worker, how):
        running = worker.phase == 'running' or how == 'steered'
        traced = running or self.broken in ('early-trace', 'end-unchecked') and worker.phase == 'early'
        # A fence wins when it is appended, or never.
        if traced and not (worker.fence == 'won' and self.view(s).accepted):
            raise Violation('an audit trace of a worker that does not hold the response')
        if running or self.broken in ('early-end', 'end-unchecked') and worker.phase == 'early':
            frame = ('end', worker.nonce, worker.seq, how)
            after = self.append(with_worker(s, i, IDLE), *frame)
            if not traced and self.view(after).end == 'done' != self.view(s).end:
                raise Violation('completed without an audit trace')
            yield frame, after

    def owner(self, s):
        """The owner, or two of them. One may have an old view: it sends the ticket of an earlier attempt."""
        view = self.view(s)
        if not view.accepted or view.end:
            return
        yield from self.next_attempt(s)
        if s.accepted == 'there late':
            yield 'the owner ends what was withdrawn', self.append(s, 'owner end')
        if s.left.resent:
            for attempt in range(1, view.attempt + 1):
                if (attempt, 'resent') not in s.inbox:
                    yield f'the owner sends ticket {attempt} again', self.resend(self.less(s, 'resent'), attempt)

    def next_attempt(self, s):
        attempt = self.view(s).attempt
        if attempt < ATTEMPTS:
            yield 'reissue', self.without_ticket(self.append(s, 'reissue', attempt + 1), attempt + 1)
        else:
            yield 'the owner gives up', self.append(s, 'owner end')

    def resend(self, s, attempt):
        held = attempt == self.view(s).attempt
        return enqueue(s, attempt, 'resent')._replace(known_lost=s.known_lost and not held)

    def without_ticket(self, s, attempt):
        lost = self.broken == 'taken-is-held' and attempt == self.view(s).attempt
        return s._replace(known_lost=s.known_lost or lost)

    @staticmethod
    def less(s, misfortune):
        if s.left.total == 1:
            return s._replace(left=CALM)
        fewer = {misfortune: getattr(s.left, misfortune) - 1, 'total': s.left.total - 1}
        return s._replace(left=s.left._replace(**fewer))

    # ---- progress ----

    def settles(self, s):
        """True if the response ends once nothing goes wrong any more; without `accepted`, if everybody stops."""
        s = s._replace(left=CALM, stop=False, steers=0, steer=False)
        passed = []
        while s not in self.settled:
            passed.append(s)
            following = self.calm(s)
            settles = following == 'settled' or following != 'stuck' and len(passed) < CALM_STEPS
            if following in ('settled', 'stuck') or not settles:
                break
            s, *others = following
            if not all(self.settles(other) for other in others):
                settles = False
                break
        else:
            settles = self.settled[s]
        self.settled.update((one, settles) for one in passed)
        return settles

    def calm(self, s):
        """What may follow while nothing goes wrong: a list of states, or 'settled', or 'stuck'."""
        view = self.view(s)
        if view.end:
            return 'settled'
        if s.accepted in ('sent', 'late'):
            # Nobody waits for the late one any more, so it may still be lost.
            after = [after._replace(stop=False) for _, after in self.gateway(s)]
            return after[:1] if s.accepted == 'sent' else after[:2]
        if s.ticket == 'sent':
            return [enqueue(s._replace(ticket='there'), 1, 'new')]
        for i, worker in enumerate(s.workers):
            if worker != IDLE:
                return [after for _, after in self.work(s, i, worker)][:1] or 'stuck'
        if s.inbox:
            return [after for _, after in self.take(s, 0)][:1]
        if not view.accepted:
            return 'settled'
        if view.attempt in view.fenced:  # by a worker that has left
            return [after for _, after in self.next_attempt(s)]
        if self.broken == 'taken-is-held' and not s.known_lost:
            return 'stuck'
        return [self.resend(s, view.attempt)]

    # ---- the walk ----

    def walk(self):
        """Visits every state once, the nearest first.

        Returns the number of states and of some kinds of them. Raises a Violation.
        """
        start = State(left=self.bounds)
        came = {start: None}
        todo = deque([start])
        counts = dict.fromkeys(('done', 'steered', 'done although withdrawn', 'ended by owner', 'never accepted'), 0)
        while todo:
            s = todo.popleft()
            try:
                if not self.settles(s):
                    raise Violation('it never ends, although nothing goes wrong any more')
                end = self.view(s).end
                counts['done'] += end == 'done'
                counts['steered'] += end == 'steered'
                counts['done although withdrawn'] += end == 'done' and s.accepted == 'there late'
                counts['ended by owner'] += end == 'owner'
                counts['never accepted'] += s.accepted == 'lost'
                for step, after in self.steps(s):
                    if end:
                        continue  # that nothing counts after an end was checked with the step
                    if self.view(after).end:
                        after = after._replace(inbox=(), left=ENDED, known_lost=False, steer=False)
                    if after not in came:
                        came[after] = (s, step)
                        todo.append(after)
            except Violation as violation:
                violation.states = len(came)
                steps = []
                while came[s]:
                    s, step = came[s]
                    steps.append(step)
                violation.steps = steps[::-1]
                raise
        return len(came), counts


def enqueue(s, attempt, kind):
    return s._replace(inbox=tuple(sorted(s.inbox + ((attempt, kind),))))


def with_worker(s, i, worker):
    return s._replace(workers=tuple(sorted(s.workers[:i] + (worker,) + s.workers[i + 1:])))


def run(name, bounds, details):
    """Walks with one rule broken, or with none. Prints a line, and returns whether the effect is the expected one."""
    expected = BROKEN[name][0] if name != 'intact' else 'none'
    began = time.monotonic()
    steps = ()
    try:
        states, counts = Model(name, bounds).walk()
        effect = 'none'
        text = f'0 violations in {states} states; ' + ', '.join(f'{n} {kind}' for kind, n in counts.items())
    except Violation as violation:
        effect = 'progress' if 'never ends' in str(violation) else 'safety'
        text = f'{violation} ({effect}, found within {violation.states} states)'
        steps = violation.steps
    good = effect == expected
    print(f'{"ok" if good else "WRONG"} {name}: {text}; {time.monotonic() - began:.1f} s', flush=True)
    if details or not good:
        print(''.join(f'    {step}\n' for step in steps), end='')
    return good


def main(arguments):
    bounded = '--bounded' in arguments
    names = [argument for argument in arguments if not argument.startswith('--')]
    details = bool(names)
    good = True
    for name in names or ['intact', *BROKEN]:
        harmless = name in BROKEN and BROKEN[name][0] == 'none'
        if harmless and bounded and not details:
            continue  # it is walked through to its end, which takes as long as the intact rules
        # A violation is found soon, whatever the bounds; a harmless rule need not be walked through in full.
        good &= run(name, BOUNDED if bounded or harmless else FULL, details)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
