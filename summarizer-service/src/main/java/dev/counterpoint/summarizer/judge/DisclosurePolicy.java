package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.judge.Verdict.Release;
import dev.counterpoint.summarizer.judge.Verdict.Withhold;
import dev.counterpoint.summarizer.redact.Redaction.Clean;
import dev.counterpoint.summarizer.redact.Redaction.Stopped;
import dev.counterpoint.summarizer.redact.Redactor;
import dev.counterpoint.summarizer.redact.Typography;
import dev.counterpoint.summarizer.redact.UserWords;
import dev.counterpoint.summarizer.segment.Segment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides on sentences in their order. A sentence that touches what is hidden silences its neighbours too,
/// for they may go on where it stopped. Not thread-safe.
public final class DisclosurePolicy {
    /// The number of sentences before one that a verdict can reach: so many are held back.
    public static final int REACH = 2;

    private static final int SILENCE = 2;
    private static final int QUOTED_WORDS_MAX = 3;
    private static final int WORDS_KEPT = 12;
    private static final Set<String> ANSWERS = Set.of("answer", "result", "total", "sum");

    private static final Phrases GUARDED = Phrases.read("guarded");
    private static final Phrases HARM = Phrases.read("harm");
    private static final Phrases CAUTION = Phrases.read("caution");
    private static final Phrases TOPIC = Phrases.read("topic");
    private static final Phrases PERSONAL = Phrases.read("personal");
    private static final Phrases PRYING = Phrases.read("prying");

    private final Set<Filter> filters;
    private final UserWords user;
    private final Redactor redactor;
    private final ConfidentialFragments secrets;
    private final Resemblance resemblance;
    private final boolean guardable;
    /// True if the user is after the instructions: then no word passes because the user said it first.
    private final boolean prying;
    private List<String> shown = List.of();
    private int silent;
    private boolean silentParagraph;

    /// @param texts what may not be told
    /// @param userText what the user said last
    public DisclosurePolicy(List<String> texts, String userText) {
        this(texts, userText, EnumSet.allOf(Filter.class));
    }

    DisclosurePolicy(List<String> texts, String userText, Set<Filter> filters) {
        this.filters = filters;
        guardable = texts.stream().mapToLong(String::length).sum() <= ConfidentialFragments.GUARDED_MAX;
        user = new UserWords(userText);
        redactor = new Redactor(user);
        secrets = new ConfidentialFragments(guardable ? texts : List.of(), user);
        resemblance = new Resemblance(guardable ? texts : List.of());
        prying = PRYING.occurIn(TextWords.of(userText));
    }

    public Verdict judge(Segment segment) {
        if (segment.startsParagraph()) {
            silentParagraph = false;
        }
        boolean silenced = filters.contains(Filter.SILENCE) && (silent > 0 || silentParagraph);
        silent = Math.max(0, silent - 1);
        var sentence = segment.intact() && guardable ? plain(segment.text()) : null;
        if (sentence == null) {
            return silence(1);
        }
        if (filters.contains(Filter.MARKUP) && holdsMarkup(sentence)) {
            silentParagraph = true;
            return silence(1);
        }
        if (sentence.isEmpty() || !sentence.chars().anyMatch(Character::isLetterOrDigit)) {
            // A rule or a row of signs is no sentence: it neither ends a silence nor starts one.
            silent += silenced && !silentParagraph ? 1 : 0;
            return new Withhold(0);
        }
        var verdict = judge(sentence);
        boolean passes = !silenced || !prying && isAnswer(TextWords.of(sentence));
        return verdict instanceof Release && !passes ? new Withhold(0) : verdict;
    }

    private @Nullable String plain(String text) {
        return filters.contains(Filter.TYPOGRAPHY) ? Typography.plain(text) : text;
    }

    private Verdict judge(String sentence) {
        var words = TextWords.of(sentence);
        if (filters.contains(Filter.HARM) && HARM.occurIn(words)) {
            return silence(REACH);
        }
        if (filters.contains(Filter.GUARDED) && GUARDED.occurBesides(words, this::grantedBy)
                || filters.contains(Filter.QUOTATIONS) && quotes(sentence)
                || filters.contains(Filter.SECRETS) && secrets.toldBy(sentence, List.of())) {
            return silence(1);
        }
        if (filters.contains(Filter.CAUTION) && CAUTION.occurIn(words)
                || filters.contains(Filter.TOPIC) && TOPIC.occurIn(words, this::grantedBy)) {
            return new Withhold(0);
        }
        return switch (filters.contains(Filter.WORDS) ? redactor.redact(sentence) : unredacted(sentence, words)) {
            case Clean clean when isPersonal(clean, words) -> silenceNext();
            case Clean clean -> new Release(clean.text(), clean.words());
            case Stopped stopped when stopped.exposing() -> silenceNext();
            case Stopped _ -> new Withhold(0);
        };
    }

    private static Clean unredacted(String sentence, List<String> words) {
        return new Clean(sentence, words, true, false, false);
    }

    private boolean isPersonal(Clean clean, List<String> words) {
        return filters.contains(Filter.PERSONAL) && (clean.names() || clean.numbers()) && PERSONAL.occurIn(words);
    }

    /// True if the user brought the word up, and is not after the instructions.
    private boolean grantedBy(String word) {
        return !prying && user.said(word);
    }

    /// True if the sentence may follow what was shown last; if so it counts as shown.
    public boolean admits(Release sentence) {
        boolean told = filters.contains(Filter.FOLLOWING) && secrets.toldBy(sentence.text(), shown);
        if (told || filters.contains(Filter.RESEMBLANCE) && !resemblance.admits(" " + sentence.text())) {
            return false;
        }
        var words = TextWords.of(sentence.text());
        shown = List.copyOf(words.subList(Math.max(0, words.size() - WORDS_KEPT), words.size()));
        return true;
    }

    private Verdict silence(int before) {
        silent = SILENCE;
        return new Withhold(before);
    }

    private Verdict silenceNext() {
        silent = Math.max(silent, 1);
        return new Withhold(0);
    }

    private static boolean holdsMarkup(String sentence) {
        for (int i = 0; i + 1 < sentence.length(); i++) {
            char next = sentence.charAt(i + 1);
            if (sentence.charAt(i) == '<' && (Character.isLetter(next) || "/|!<".indexOf(next) >= 0)) {
                return true;
            }
            if (sentence.charAt(i) == '|' && next == '>'
                    || sentence.charAt(i) == '=' && sentence.startsWith("===", i)) {
                return true;
            }
        }
        return false;
    }

    /// True if it quotes more than a few words that are not the user's own, or leaves a quotation open.
    private boolean quotes(String sentence) {
        int start = -1;
        for (int i = 0; i < sentence.length(); i++) {
            char c = sentence.charAt(i);
            boolean single = c == '\'' && (start >= 0 ? closes(sentence, i) : opens(sentence, i));
            if (c != '"' && !single) {
                continue;
            }
            if (start >= 0 && sentence.charAt(start) == c) {
                var quoted = sentence.substring(start + 1, i);
                if (TextWords.of(quoted).size() > QUOTED_WORDS_MAX && !user.saidAll(quoted)) {
                    return true;
                }
                start = -1;
            } else if (start < 0 && !(c == '"' && i > 0 && Character.isDigit(sentence.charAt(i - 1)))) {
                start = i;
            }
        }
        return start >= 0;
    }

    private static boolean opens(String text, int at) {
        return (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))
                && at + 1 < text.length()
                && Character.isLetter(text.charAt(at + 1));
    }

    private static boolean closes(String text, int at) {
        return at + 1 == text.length() || !Character.isLetterOrDigit(text.charAt(at + 1));
    }

    private static boolean isAnswer(List<String> words) {
        return words.subList(0, Math.min(3, words.size())).stream().anyMatch(ANSWERS::contains);
    }
}
