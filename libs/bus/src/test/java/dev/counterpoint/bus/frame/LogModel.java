package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.ArrayList;
import java.util.List;

/// What the exploration of [Interleavings] needs of a log: its events, how a reader reads them, and what must hold of
/// every log that can come about. A log is a string with one character for each event.
final class LogModel {
    /// Tokens of a whole answer.
    static final int ANSWER = 2;

    private static final ResponseId RESPONSE = new ResponseId(1, 0, 2, 3);
    private static final byte[] NO_BODY = new byte[0];
    private static final List<FrameKind> KINDS = List.of(
            FrameKind.REISSUE,
            FrameKind.FENCE,
            FrameKind.DELTA,
            FrameKind.END,
            FrameKind.OWNER_END,
            FrameKind.SUMMARY,
            FrameKind.SUMMARY_END,
            FrameKind.SUMMARY_ABANDONED,
            FrameKind.ACCEPTED,
            FrameKind.SEALED_REASONING,
            FrameKind.PROGRESS,
            FrameKind.HANDOVER,
            FrameKind.STEER);

    /// Every event that a walk could append.
    private static final String ALPHABET = alphabet();

    private LogModel() {}

    /// One frame of a log. `number` is the attempt of a fence or reissue, the `seq` of a token, an end or a summary's
    /// frame; `position` is the place in the answer of the token that a delta carries, the writer of a sentence.
    record Event(FrameKind kind, int nonce, int number, int position) {
        static Event of(char code) {
            return new Event(KINDS.get(code >> 12), code >> 8 & 0xF, code >> 4 & 0xF, code & 0xF);
        }

        char code() {
            return (char) (KINDS.indexOf(kind) << 12 | nonce << 8 | number << 4 | position);
        }

        Frame frame() {
            boolean opens = kind == FrameKind.REISSUE || kind == FrameKind.FENCE;
            return new Frame(
                    RESPONSE,
                    opens ? number : 0,
                    nonce,
                    opens ? 0 : number,
                    Lane.CONTROL,
                    kind,
                    0,
                    NO_BODY,
                    UnknownFields.NONE);
        }
    }

    enum Ending {
        NONE,
        COMPLETED,
        BY_OWNER
    }

    /// Nonce of nobody.
    static final int NOBODY = 0;

    /// What a reader makes of a log.
    ///
    /// @param attempt the current one
    /// @param holder nonce of the worker whose frames count, or [#NOBODY]
    /// @param holderAttempt the attempt that it fenced
    /// @param tokens the positions of all valid tokens, in order
    record Reading(
            int attempt, int holder, int holderAttempt, List<Integer> tokens, Ending ending, SummaryReading summary) {
        /// Whether a worker has fenced the current attempt.
        boolean fenced() {
            return holderAttempt == attempt;
        }

        /// Whether a client has all that it waits for.
        boolean settled() {
            return ending != Ending.NONE && summary.settled();
        }
    }

    /// @param told the valid frames of the summary, in order
    /// @param settled whether none follows: it ended, was abandoned, or an owner ended the response
    record SummaryReading(List<Event> told, boolean settled) {}

    /// A way to read a log.
    interface Reader {
        Reading read(String log);
    }

    /// The reader under test.
    static Reading readWithResponseLog(String log) {
        var reader = new ResponseLog(_ -> true);
        reader.accept(new Event(FrameKind.ACCEPTED, 0, 0, 0).frame());
        var tokens = new ArrayList<Integer>();
        var told = new ArrayList<Event>();
        boolean settled = false;
        var ending = Ending.NONE;
        int holderAttempt = 0;
        for (int i = 0; i < log.length(); i++) {
            var event = Event.of(log.charAt(i));
            if (reader.accept(event.frame()) == ResponseLog.Verdict.VOID) {
                continue;
            }
            switch (event.kind()) {
                case DELTA -> tokens.add(event.position());
                case END -> ending = Ending.COMPLETED;
                case OWNER_END -> {
                    ending = Ending.BY_OWNER;
                    settled = true;
                }
                case FENCE -> holderAttempt = event.number();
                case SUMMARY -> told.add(event);
                case SUMMARY_END -> {
                    told.add(event);
                    settled = true;
                }
                case SUMMARY_ABANDONED -> settled = true;
                case ACCEPTED, REISSUE, SEALED_REASONING, PROGRESS, HANDOVER, STEER, UNKNOWN -> {}
            }
        }
        var holder = reader.holder();
        return new Reading(
                reader.attempt(),
                holder == null ? NOBODY : holder.intValue(),
                holderAttempt,
                tokens,
                ending,
                new SummaryReading(told, settled));
    }

    /// What is wrong with `log`, or an empty string: the promises that readers rely on.
    static String violation(String log, Reader reader) {
        var now = reader.read(log);
        for (int i = 0; i < now.tokens().size(); i++) {
            if (now.tokens().get(i) != i) {
                return "a gap or a repeat: " + now.tokens();
            }
        }
        if (now.ending() == Ending.COMPLETED && now.tokens().size() != ANSWER) {
            return "completed with " + now.tokens().size() + " of " + ANSWER + " tokens";
        }
        return violationOfAnyWriters(log, reader);
    }

    /// What is wrong with `log` whoever wrote it: what holds although a service's keys are lost.
    static String violationOfAnyWriters(String log, Reader reader) {
        var now = reader.read(log);
        if (now.ending() != Ending.NONE && ALPHABET.chars().anyMatch(more -> changes(log + (char) more, now, reader))) {
            return "something after the end";
        }
        return log.isEmpty() ? "" : violation(reader.read(log.substring(0, log.length() - 1)), now);
    }

    private static boolean changes(String log, Reading before, Reader reader) {
        var after = reader.read(log);
        return after.ending() != before.ending() || !after.tokens().equals(before.tokens());
    }

    private static String violation(Reading before, Reading now) {
        int known = before.tokens().size();
        if (now.tokens().size() < known || !now.tokens().subList(0, known).equals(before.tokens())) {
            return "a reader would have to take back a token";
        }
        if (now.holder() != before.holder() && now.holderAttempt() <= before.holderAttempt()) {
            return "a duplicate job drives a running attempt away";
        }
        return "";
    }

    private static String alphabet() {
        var events = new StringBuilder();
        for (int nonce = 1; nonce <= 4; nonce++) {
            for (int number = 0; number <= 3; number++) {
                events.append(new Event(FrameKind.FENCE, nonce, number, 0).code());
                events.append(new Event(FrameKind.END, nonce, number, 0).code());
                events.append(new Event(FrameKind.DELTA, nonce, number, 0).code());
                events.append(new Event(FrameKind.DELTA, nonce, number, 1).code());
            }
        }
        for (int number = 2; number <= 4; number++) {
            events.append(new Event(FrameKind.REISSUE, 0, number, 0).code());
        }
        return events.append(new Event(FrameKind.OWNER_END, 0, 0, 0).code()).toString();
    }

    static String describe(String log) {
        return log.chars()
                .mapToObj(code -> Event.of((char) code).toString())
                .toList()
                .toString();
    }
}
