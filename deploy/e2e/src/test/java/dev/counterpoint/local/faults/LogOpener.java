package dev.counterpoint.local.faults;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.local.faults.Told.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Opens logs with the keys of the suite: a worker's for what the model said, a gateway's for what was asked.
final class LogOpener {
    private static final String FUNCTIONS = "functions.";

    private final KeyRing worker;
    private final KeyRing gateway;

    /// @param folder of the suite's sealing keys
    LogOpener(Path folder) {
        worker = KeyRing.load(folder, ServiceRole.WORKER);
        gateway = KeyRing.load(folder, ServiceRole.GATEWAY);
    }

    /// Opens one log. What counts and does not open throws: it would be lost for every reader.
    Told open(ResponseId id, LogReading reading) {
        var frame = reading.accepted();
        if (frame == null) {
            throw new IllegalArgumentException("a log without its beginning: " + id);
        }
        return new Opening(id, Accepted.decode(frame.body())).read(reading);
    }

    /// One log under way.
    private final class Opening {
        private final ResponseId id;
        private final Accepted accepted;
        private final Map<Long, AttemptKeys> keys = new HashMap<>();
        private final Map<Integer, Draft> drafts = new TreeMap<>();

        private Opening(ResponseId id, Accepted accepted) {
            this.id = id;
            this.accepted = accepted;
        }

        private Told read(LogReading reading) {
            var segments = reading.turns().stream().map(this::segment).toList();
            var sentences = reading.summary().stream()
                    .filter(frame -> frame.kind() == FrameKind.SUMMARY)
                    .map(this::sentence)
                    .toList();
            var ending = reading.ending();
            var end = ending != null && ending.kind() == FrameKind.END ? End.decode(openVisible(ending)) : null;
            var messages = drafts.values().stream().map(Draft::message).toList();
            var status = ending == null ? null : status(ending, end);
            return new Told(id, accepted, request(), segments, messages, sentences, status, end);
        }

        private Told.Segment segment(LogReading.Turn turn) {
            var fence = turn.fence;
            var place = new AttemptKeys.Place(accepted.tenant(), id, fence.attempt(), fence.nonce());
            keys.put(fence.nonce(), AttemptKeys.of(Fence.decode(fence.body()), place, worker));
            var tokens = new ArrayList<Integer>();
            for (var frame : turn.said) {
                if (frame.kind() == FrameKind.DELTA) {
                    var delta = delta(frame);
                    drafts.computeIfAbsent(frame.message(), _ -> new Draft(frame.lane()))
                            .add(delta);
                    for (int token : delta.tokens()) {
                        tokens.add(token);
                    }
                }
            }
            return new Told.Segment(
                    fence.attempt(),
                    fence.nonce(),
                    tokens.stream().mapToInt(Integer::intValue).toArray());
        }

        private Delta delta(Frame frame) {
            var delta = keysOf(frame).delta(accepted.tenant(), frame);
            if (delta == null) {
                throw new IllegalStateException("a worker was given no key to " + frame);
            }
            return delta;
        }

        private Told.Sentence sentence(Frame frame) {
            var sentence = SummarySentence.decode(openVisible(frame));
            return new Told.Sentence(sentence.opensPart(), sentence.text());
        }

        private byte[] openVisible(Frame frame) {
            var key = keysOf(frame).visible();
            if (key == null) {
                throw new IllegalStateException("a worker was given no key to " + frame);
            }
            return key.open(accepted.tenant(), frame);
        }

        private AttemptKeys keysOf(Frame frame) {
            return keys.getOrDefault(frame.nonce(), new AttemptKeys(null, null));
        }

        /// By the metadata of a response, by the seed of a chat.
        private int request() {
            var echo = new String(gateway.open(accepted.sealed().echo(), "echo|" + id), StandardCharsets.UTF_8);
            var number =
                    Question.tree(echo).findPath("metadata").path("request").asInt();
            if (number != 0) {
                return number;
            }
            var context = Accepted.jobContext(accepted.tenant(), id);
            var seed = GenerationJob.decode(worker.open(accepted.sealed().job(), context))
                    .sampling()
                    .seed();
            return seed == null ? 0 : seed.intValue();
        }
    }

    private static Status status(Frame ending, @Nullable End end) {
        if (end == null) {
            return OwnerEnd.decode(ending.body()).reason() == OwnerEnd.Reason.CANCELLED
                    ? Status.CANCELLED
                    : Status.FAILED;
        }
        return switch (end.finish()) {
            case STOP, STOP_SEQUENCE -> Status.COMPLETED;
            case MAX_TOKENS, CONTEXT_FULL, CONTENT_FILTER, GRAMMAR_CUT, STEERED -> Status.INCOMPLETE;
            case FAILED,
                    PROMPT_TOO_LONG,
                    INVALID_PROMPT,
                    INVALID_REASONING,
                    NOT_ENFORCED,
                    UPSTREAM_REFUSED,
                    UPSTREAM_BUSY,
                    UPSTREAM_MISCONFIGURED,
                    GRAMMAR_TOO_COMPLEX -> Status.FAILED;
        };
    }

    /// A message while its deltas are put together.
    private static final class Draft {
        private final boolean reasoning;
        private final StringBuilder text = new StringBuilder();
        private @Nullable String function;
        private int tokens;

        private Draft(Lane lane) {
            reasoning = lane == Lane.REASONING;
        }

        private void add(Delta delta) {
            var header = delta.header();
            if (header != null && header.recipient() != null) {
                function = header.recipient().replaceFirst("^" + FUNCTIONS, "");
            }
            text.append(delta.text());
            tokens += delta.tokens().length;
        }

        private Told.Message message() {
            return new Told.Message(reasoning, function, text.toString(), tokens);
        }
    }
}
