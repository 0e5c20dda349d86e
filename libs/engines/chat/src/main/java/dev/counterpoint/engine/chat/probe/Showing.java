package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.probe.Shown.Way;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How a model shows reasoning, as several answers show it together.
///
/// @param ways that were seen
/// @param marks that were seen; null where there were none
record Showing(Outcome outcome, Set<Way> ways, @Nullable MarkPair marks) {
    /// What the answers say together.
    enum Outcome {
        NOT_TRIED,
        TOLD_BY_SERVER,
        MODEL_OPENS,
        TEMPLATE_OPENS,
        HARMONY,
        /// All answers were right and nothing else.
        NO_REASONING,
        /// They do not agree, or cannot be understood.
        UNCLEAR
    }

    /// @param asked the number of questions; one without an answer makes it unclear
    static Showing of(List<TrialAnswer> answers, int asked, List<MarkPair> looked) {
        if (answers.isEmpty()) {
            return new Showing(Outcome.NOT_TRIED, Set.of(), null);
        }
        var all = answers.stream().map(answer -> Shown.in(answer, looked)).toList();
        var ways = EnumSet.noneOf(Way.class);
        all.forEach(shown -> ways.add(shown.way()));
        var marks = all.stream()
                .map(Shown::marks)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return new Showing(answers.size() < asked ? Outcome.UNCLEAR : outcome(ways), ways, marks);
    }

    private static Outcome outcome(Set<Way> ways) {
        if (ways.contains(Way.HARMONY)) {
            return Outcome.HARMONY;
        }
        if (ways.equals(Set.of(Way.EXACT))) {
            return Outcome.NO_REASONING;
        }
        if (among(ways, Way.TOLD, Way.EXACT)) {
            return Outcome.TOLD_BY_SERVER;
        }
        if (among(ways, Way.OPENED, Way.EXACT)) {
            return Outcome.MODEL_OPENS;
        }
        // One that was cut off before its closing mark had been opened by the template too.
        return ways.contains(Way.CLOSED) && among(ways, Way.CLOSED, Way.CUT) ? Outcome.TEMPLATE_OPENS : Outcome.UNCLEAR;
    }

    private static boolean among(Collection<Way> ways, Way one, Way other) {
        return EnumSet.of(one, other).containsAll(ways);
    }

    /// True if the model was seen to reason.
    boolean reasons() {
        return ways.contains(Way.TOLD)
                || ways.contains(Way.OPENED)
                || ways.contains(Way.CLOSED)
                || ways.contains(Way.HARMONY);
    }

    /// True if nothing was seen but these.
    boolean only(Way... expected) {
        return List.of(expected).containsAll(ways);
    }
}
