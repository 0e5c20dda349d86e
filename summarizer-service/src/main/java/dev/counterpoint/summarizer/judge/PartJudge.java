package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides whether a written part may be shown; one for each response. It knows the confidential texts and the raw
/// reasoning. It does not know what the user said: a word of the user's vouches for nothing, so that nobody can guess.
///
/// It fails closed: of a request with too much to guard, nothing written is shown. Not thread-safe.
public final class PartJudge {
    /// Characters of confidential texts, and of reasoning, that can be guarded.
    static final int GUARDED_MAX = 1_000_000;

    /// Words of a part that can go on where the part before stopped.
    private static final int BORDER = 5;

    private static final int WORDS_KEPT = 12;
    private static final String SENTENCE_ENDS = ".!?\n。！？؟।";
    private static final int UNFINISHED_MAX = 4_000;
    private static final int INITIALS_KEPT = 200;

    private final Set<Filter> filters;
    private final GuardedTexts texts;
    private final Resemblance resemblance = new Resemblance();
    private final Disguises disguises;
    private final SpelledWords spelled;
    private final StringBuilder unfinished = new StringBuilder();
    private final StringBuilder initials = new StringBuilder();
    private long guarded;
    private List<TextWord> shown = List.of();

    /// @param confidential texts of the developer, the system and the tools, their outputs included
    public PartJudge(List<String> confidential, JudgePolicy policy) {
        this(confidential, policy, EnumSet.allOf(Filter.class));
    }

    PartJudge(List<String> confidential, JudgePolicy policy, Set<Filter> filters) {
        this.filters = filters;
        texts = new GuardedTexts(policy);
        disguises = new Disguises(texts);
        spelled = new SpelledWords(texts);
        confidential.forEach(this::addConfidential);
    }

    private void addConfidential(String text) {
        guarded += text.length();
        if (guarded <= GUARDED_MAX) {
            texts.addConfidential(text);
            resemblance.add(text);
        }
    }

    /// More of the raw reasoning, cut anywhere.
    public void reasoned(String text) {
        guarded += text.length();
        if (guarded <= GUARDED_MAX) {
            unfinished.append(text);
        }
    }

    /// All that was reasoned is guarded, also what is not yet a whole sentence. The last words, and the sentence that
    /// they stand in, are kept: they are read again together with what follows.
    private void guardReasoning() {
        texts.addReasoning(unfinished.toString());
        int keep = unfinished.length();
        for (int words = 0; keep > 0 && words < WORDS_KEPT; keep--) {
            words += Character.isWhitespace(unfinished.charAt(keep - 1)) ? 1 : 0;
        }
        while (keep > 0 && SENTENCE_ENDS.indexOf(unfinished.charAt(keep - 1)) < 0) {
            keep--;
        }
        unfinished.delete(0, Math.max(keep, unfinished.length() - UNFINISHED_MAX));
    }

    /// Decides on a part. Whoever shows it says so with [#shown].
    public Verdict judge(SummaryPart part, SummaryLanguage language) {
        guardReasoning();
        var title = plain(part.title());
        var sentence = plain(part.sentence());
        if (title == null || sentence == null || guarded > GUARDED_MAX) {
            return new Verdict.Refused(Filter.TYPOGRAPHY);
        }
        var plain = new SummaryPart(title, sentence);
        var text = title + "\n" + sentence;
        var words = TextWord.of(text);
        for (var filter : filters) {
            if (refuses(filter, new Candidate(plain, text, words, language))) {
                return new Verdict.Refused(filter);
            }
        }
        return new Verdict.Shown(plain);
    }

    private @Nullable String plain(String text) {
        return filters.contains(Filter.TYPOGRAPHY) ? ProseText.of(text) : text;
    }

    private record Candidate(SummaryPart part, String text, List<TextWord> words, SummaryLanguage language) {}

    private boolean refuses(Filter filter, Candidate it) {
        return switch (filter) {
            case FORM -> !PartForm.isRight(it.part);
            case TYPOGRAPHY -> false;
            case SHAPE -> !PartForm.areWords(it.words, texts.known());
            case NUMBERS -> texts.numberIn(it.text, it.language);
            case NAMES -> texts.nameIn(it.words, it.language);
            case SECRECY -> SecrecyTalk.isUntold(it.text);
            case NONSENSE ->
                it.words.stream().anyMatch(word -> !texts.known().contains(word) && WordShapes.isNonsense(word));
            case RUNS -> texts.runIn(it.words, it.text);
            case WORDS -> texts.wordIn(it.words, it.text);
            case PHRASES -> texts.phraseIn(it.words, it.text);
            case PARAPHRASE -> paraphrases(it.text);
            case DISGUISES -> disguises.hideIn(it.words);
            case SPELLING -> spelled.standIn(it.words);
            case FOLLOWING -> follows(it.words);
            case RESEMBLANCE -> !resemblance.admits(it.text);
        };
    }

    private boolean paraphrases(String text) {
        return texts.sentences.isToldBy(TextWord.of(text))
                || text.lines()
                        .flatMap(line -> Arrays.stream(line.split("(?<=[.!?])\\s+")))
                        .anyMatch(sentence -> texts.sentences.isToldBy(TextWord.of(sentence)));
    }

    /// What was shown last and the beginning of this part, read together.
    private boolean follows(List<TextWord> words) {
        if (shown.isEmpty() || words.isEmpty()) {
            return false;
        }
        var row = new ArrayList<>(shown);
        row.addAll(words.subList(0, Math.min(BORDER, words.size())));
        return texts.runIn(row, "")
                || texts.phraseIn(row, "")
                || texts.words.occurIn(GuardedTexts.squeezed(row))
                || texts.words.occurIn(initials + words.getFirst().folded().substring(0, 1));
    }

    /// A written part was shown, whoever wrote it: what comes after it is judged together with it.
    public void shown(SummaryPart part) {
        var text = part.title() + "\n" + part.sentence();
        var words = TextWord.of(text);
        shown = List.copyOf(words.subList(Math.max(0, words.size() - WORDS_KEPT), words.size()));
        if (!words.isEmpty()) {
            initials.append(words.getFirst().folded().charAt(0));
            initials.delete(0, Math.max(0, initials.length() - INITIALS_KEPT));
        }
        resemblance.show(text);
    }

    @Override
    public String toString() {
        return "PartJudge[" + filters.size() + "]";
    }
}
