package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.frame.LogModel.Ending;
import dev.counterpoint.bus.frame.LogModel.Event;
import dev.counterpoint.bus.frame.LogModel.Reading;
import dev.counterpoint.bus.frame.LogModel.SummaryReading;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of a log written down a second time, with a switch that breaks one of them. The unbroken ones check
/// [ResponseLog]; the broken ones check the check.
final class WrittenRules {
    /// Which rule is broken.
    enum Broken {
        NOTHING,
        VOID_FRAMES_ARE_COUNTED,
        ANY_END_ENDS,
        GAPS_ARE_IGNORED,
        A_LATE_END_ENDS,
        THE_LAST_FENCE_WINS,
        ANY_ATTEMPT_FENCES,
        NO_ATTEMPT_OPENS,
        EVERY_SENTENCE_AT_A_PLACE_COUNTS,
        AN_ABANDONED_SUMMARY_GOES_ON,
        AN_ANSWER_ENDS_ITS_SUMMARY
    }

    private final Broken broken;
    private final Set<Integer> fenced = new HashSet<>();
    private final List<Integer> tokens = new ArrayList<>();
    private int attempt = 1;
    private int holder = LogModel.NOBODY;
    private int holderAttempt;
    private int next;
    private boolean gap;
    private Ending ending = Ending.NONE;
    private final Set<Integer> holders = new HashSet<>();
    private final List<Event> told = new ArrayList<>();
    private boolean summaryClosed;
    private boolean summaryEnded;

    private WrittenRules(Broken broken) {
        this.broken = broken;
    }

    static Reading read(String log, Broken broken) {
        var rules = new WrittenRules(broken);
        log.chars().forEach(code -> rules.take(Event.of((char) code)));
        return new Reading(
                rules.attempt,
                rules.holder,
                rules.holderAttempt,
                rules.tokens,
                rules.ending,
                new SummaryReading(rules.told, rules.summaryClosed || rules.summaryEnded));
    }

    private void take(Event event) {
        switch (event.kind()) {
            case SUMMARY, SUMMARY_END -> sentence(event);
            case SUMMARY_ABANDONED -> summaryClosed |= broken != Broken.AN_ABANDONED_SUMMARY_GOES_ON;
            case REISSUE, FENCE, DELTA, END, OWNER_END -> {
                if (ending == Ending.NONE || broken == Broken.ANY_END_ENDS) {
                    run(event);
                }
            }
            case ACCEPTED, SEALED_REASONING, PROGRESS, HANDOVER, STEER, UNKNOWN -> throw new IllegalStateException();
        }
    }

    private void run(Event event) {
        switch (event.kind()) {
            case REISSUE -> reissue(event);
            case FENCE -> fence(event);
            case DELTA -> token(event);
            case END -> end(event);
            case OWNER_END -> {
                ending = Ending.BY_OWNER;
                summaryClosed = true;
            }
            case ACCEPTED,
                    SEALED_REASONING,
                    PROGRESS,
                    HANDOVER,
                    SUMMARY,
                    SUMMARY_END,
                    SUMMARY_ABANDONED,
                    STEER,
                    UNKNOWN -> throw new IllegalStateException();
        }
    }

    private void reissue(Event event) {
        if (event.number() == attempt + 1 && broken != Broken.NO_ATTEMPT_OPENS) {
            attempt = event.number();
        }
    }

    private void sentence(Event event) {
        boolean next = event.number() == told.size() || broken == Broken.EVERY_SENTENCE_AT_A_PLACE_COUNTS;
        boolean late = event.kind() == FrameKind.SUMMARY && summaryEnded;
        if (next && !late && !summaryClosed && holders.contains(event.nonce())) {
            told.add(event);
            summaryEnded |= event.kind() == FrameKind.SUMMARY_END;
        }
    }

    private void fence(Event event) {
        boolean current = event.number() == attempt || broken == Broken.ANY_ATTEMPT_FENCES;
        boolean first = fenced.add(event.number()) || broken == Broken.THE_LAST_FENCE_WINS;
        if (!current || !first) {
            if (!current) {
                fenced.remove(event.number());
            }
            return;
        }
        holder = event.nonce();
        holders.add(holder);
        holderAttempt = event.number();
        next = 0;
        gap = false;
    }

    private void token(Event event) {
        if (event.nonce() != holder && broken != Broken.VOID_FRAMES_ARE_COUNTED) {
            return;
        }
        if (event.number() < next) {
            return;
        }
        gap |= event.number() != next && broken != Broken.GAPS_ARE_IGNORED;
        if (!gap) {
            next = event.number() + 1;
            tokens.add(event.position());
        }
    }

    private void end(Event event) {
        boolean ours =
                event.nonce() == holder || broken == Broken.VOID_FRAMES_ARE_COUNTED || broken == Broken.A_LATE_END_ENDS;
        boolean whole = event.number() == next || broken == Broken.GAPS_ARE_IGNORED || broken == Broken.A_LATE_END_ENDS;
        if (ours && whole && !gap) {
            ending = Ending.COMPLETED;
            summaryClosed |= broken == Broken.AN_ANSWER_ENDS_ITS_SUMMARY;
        }
    }
}
