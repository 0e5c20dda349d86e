package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.MarkPair;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How one answer showed reasoning.
///
/// @param marks that were seen first; null where there were none
record Shown(Way way, @Nullable MarkPair marks) {
    /// Ways to show reasoning, or not to.
    enum Way {
        /// The server told it.
        TOLD,
        /// The text had both marks, or the first of them before it was cut off.
        OPENED,
        /// The text had a closing mark only.
        CLOSED,
        /// The text was Harmony.
        HARMONY,
        /// The text was the right answer and nothing else.
        EXACT,
        /// The text was cut off before any mark.
        CUT,
        /// Anything else: an answer in other words, or reasoning without marks.
        UNTOLD
    }

    private static final Pattern HARMONY =
            Pattern.compile("<\\|channel\\|>|<\\|message\\|>|assistantfinal|^\\s*analysis(?=\\p{Lu})");

    private record Found(int at, boolean opens, MarkPair marks) {}

    /// @param marks that are looked for
    static Shown in(TrialAnswer answer, List<MarkPair> marks) {
        if (answer.told()) {
            return new Shown(Way.TOLD, null);
        }
        var text = answer.content();
        if (HARMONY.matcher(text).find()) {
            return new Shown(Way.HARMONY, null);
        }
        var first = first(text, marks);
        if (first.isEmpty()) {
            return new Shown(unmarked(answer, text), null);
        }
        var found = first.get();
        if (!found.opens) {
            return new Shown(Way.CLOSED, found.marks);
        }
        // Templates and models that do not think may write an empty pair.
        return isEmptyPair(found, text) && answer.question().isRight(behind(found, text))
                ? new Shown(Way.EXACT, null)
                : new Shown(Way.OPENED, found.marks);
    }

    private static Way unmarked(TrialAnswer answer, String text) {
        if (!answer.whole()) {
            return Way.CUT;
        }
        return answer.question().isRight(text) ? Way.EXACT : Way.UNTOLD;
    }

    private static Optional<Found> first(String text, List<MarkPair> marks) {
        var small = small(text);
        return marks.stream()
                .flatMap(pair -> Stream.of(
                        new Found(small.indexOf(small(pair.open())), true, pair),
                        new Found(small.indexOf(small(pair.close())), false, pair)))
                .filter(found -> found.at >= 0)
                // Of two that begin alike the longer one: it says more.
                .min(Comparator.comparingInt(Found::at)
                        .thenComparing(found -> -mark(found).length()));
    }

    private static String mark(Found found) {
        return found.opens ? found.marks.open() : found.marks.close();
    }

    private static boolean isEmptyPair(Found found, String text) {
        int from = found.at + found.marks.open().length();
        int to = small(text).indexOf(small(found.marks.close()), from);
        return text.substring(0, found.at).isBlank()
                && to >= 0
                && text.substring(from, to).isBlank();
    }

    private static String behind(Found found, String text) {
        return text.substring(small(text).indexOf(small(found.marks.close()))
                + found.marks.close().length());
    }

    private static String small(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
