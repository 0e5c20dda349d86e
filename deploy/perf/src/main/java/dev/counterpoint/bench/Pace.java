package dev.counterpoint.bench;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// How the upstream speaks: so many tokens, so far apart; the first comes at once. Set by `-Dtokens` and `-Dpace`, and
/// by the question.
record Pace(int tokens, Duration gap) {
    private static final Pattern ASKED = Pattern.compile("(\\d{1,6}) times, one every (\\d{1,6}) ms");

    /// As a question asks for it.
    static Optional<Pace> askedBy(String question) {
        var asked = ASKED.matcher(question);
        return asked.find()
                ? Optional.of(
                        new Pace(Integer.parseInt(asked.group(1)), Duration.ofMillis(Integer.parseInt(asked.group(2)))))
                : Optional.empty();
    }

    /// The words of a question that ask for it.
    String words() {
        return tokens + " times, one every " + gap.toMillis() + " ms";
    }

    static Pace fromProperties() {
        return new Pace(Integer.getInteger("tokens", 64), Duration.ofMillis(Integer.getInteger("pace", 20)));
    }

    /// From the first token to the last.
    Duration answer() {
        return gap.multipliedBy(tokens - 1L);
    }

    /// Tokens of one open stream in a second.
    double tokensPerSecond() {
        return tokens * 1e9 / answer().plus(gap).toNanos();
    }
}
