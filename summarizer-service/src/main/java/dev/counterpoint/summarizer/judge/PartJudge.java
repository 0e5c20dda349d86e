package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Decides whether written parts of one response may be shown, by the rules of [PartRefusal]. It reads words and no
/// meaning: a policy model has to allow each part as well. Not thread-safe.
public final class PartJudge {
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?…])[\"'”»)]* ");

    private final WordLists lists;
    private final Set<String> users;
    private final Set<String> userForms = new HashSet<>();
    private final GuardedText confidential = new GuardedText();
    private final GuardedText reasoning = new GuardedText();
    private final HiddenWords hidden = new HiddenWords(this::isGuarded);
    /// The last words that were shown.
    private List<String> before = List.of();

    /// @param language of the parts, which has a list of words
    /// @param userText the user's message
    /// @param confidential what the user may not see
    public PartJudge(SummaryLanguage language, String userText, List<String> confidential) {
        lists = WordLists.of(language);
        users = new HashSet<>(Words.of(userText));
        users.forEach(word -> userForms.add(Words.stem(word)));
        for (var text : confidential) {
            this.confidential.add(text);
            this.confidential.endWord();
        }
    }

    /// True for the languages in which parts can be judged.
    public static boolean reads(SummaryLanguage language) {
        return WordLists.exist(language);
    }

    /// More of the reasoning, in any pieces.
    public void reasoned(String text) {
        reasoning.add(text);
    }

    /// The first rule that a part breaks; null where it may be shown.
    public @Nullable PartRefusal judge(SummaryPart part) {
        if (confidential.isTooLong() || reasoning.isTooLong() || !PartForm.isRight(part)) {
            return PartRefusal.FORM;
        }
        var words = Words.of(part.title() + " . " + part.sentence());
        for (var word : words) {
            var refusal = refusal(word);
            if (refusal != null) {
                return refusal;
            }
        }
        var row = new ArrayList<>(before);
        row.addAll(words);
        if (sharesRun(row) || sharesRun(row.reversed())) {
            return PartRefusal.RUNS;
        }
        return hidden.areIn(Words.of(part.title()), sentences(part)) ? PartRefusal.HIDDEN : null;
    }

    private @Nullable PartRefusal refusal(String word) {
        if (users.contains(word)) {
            return null;
        }
        if (word.chars().anyMatch(Character::isDigit)) {
            return PartRefusal.DIGITS;
        }
        if (!lists.hold(word)) {
            return PartRefusal.WORDS;
        }
        boolean open =
                lists.common().contains(word) || userForms.contains(Words.stem(word)) || !reasoning.hasFormOf(word);
        return lists.function().contains(word) || open && !confidential.hasFormOf(word) ? null : PartRefusal.GUARDED;
    }

    private boolean isGuarded(String word) {
        boolean open = users.contains(word) || lists.function().contains(word);
        return !open
                && (confidential.hasWord(word)
                        || reasoning.hasWord(word) && !lists.common().contains(word));
    }

    private boolean sharesRun(List<String> row) {
        return confidential.sharesRunWith(row) || reasoning.sharesRunWith(row);
    }

    private static List<List<String>> sentences(SummaryPart part) {
        return SENTENCE_END
                .splitAsStream(part.sentence())
                .map(Words::of)
                .filter(words -> !words.isEmpty())
                .toList();
    }

    /// The log holds a written part.
    public void shown(SummaryPart part) {
        var words = Words.of(part.title() + " . " + part.sentence());
        before = words.subList(Math.max(0, words.size() - GuardedText.RUN + 1), words.size());
        if (PartForm.isRight(part)) {
            hidden.shown(Words.of(part.title()), sentences(part));
        }
    }

    @Override
    public String toString() {
        return "PartJudge[" + confidential + ", " + reasoning + "]";
    }
}
