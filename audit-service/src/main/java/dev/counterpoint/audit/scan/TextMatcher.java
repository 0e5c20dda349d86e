package dev.counterpoint.audit.scan;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.counterpoint.audit.requests.RequestedAction.Scan;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;

/// What a scan looks for: literals without regard to case, or a pattern of RE2, whose time grows with the text alone.
public final class TextMatcher {
    public static final String RULE =
            "a pattern of RE2 of at most 500 instructions, whose counts multiply to at most 1000";

    private static final int INSTRUCTIONS_MAX = 500;
    private static final int REPETITIONS_MAX = 1_000;
    private static final java.util.regex.Pattern REPETITION = java.util.regex.Pattern.compile("\\{(\\d+)(?:,(\\d*))?}");

    private TextMatcher() {}

    /// Whether a scan can look for this pattern: in RE2's syntax, and not too large.
    public static boolean accepts(String pattern) {
        try {
            return repetitions(pattern) <= REPETITIONS_MAX
                    && Pattern.compile(pattern).programSize() <= INSTRUCTIONS_MAX;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    /// Nested counts multiply in the compiled pattern, so they are looked at before.
    private static double repetitions(String pattern) {
        return REPETITION
                .matcher(pattern)
                .results()
                .mapToDouble(count -> Math.max(
                        Double.parseDouble(count.group(1)),
                        count.group(2) == null || count.group(2).isEmpty() ? 1 : Double.parseDouble(count.group(2))))
                .reduce(1, (one, other) -> one * Math.max(1, other));
    }

    static Predicate<String> of(Scan scan) {
        var literals = scan.literals();
        if (literals != null) {
            var folded = literals.stream().map(TextMatcher::folded).toList();
            return text -> contains(folded(text), folded);
        }
        var pattern = Pattern.compile(Objects.requireNonNull(scan.pattern()));
        return text -> pattern.matcher(text).find();
    }

    private static boolean contains(String text, List<String> literals) {
        return literals.stream().anyMatch(text::contains);
    }

    private static String folded(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }
}
