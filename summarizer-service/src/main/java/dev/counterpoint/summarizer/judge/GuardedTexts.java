package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What may not be told of the confidential texts and of the reasoning. What the user said makes no difference. Only
/// grows.
final class GuardedTexts {
    /// Words in a row that may not be the same.
    private static final int RUN = 5;
    /// Letters in a row that may not be the same: as many as five words have.
    private static final int RUN_LETTERS = 24;
    /// Characters in a row that may not be the same, in scripts without blanks: shorter than five words.
    private static final int UNSPACED_RUN = 7;

    private static final int UNSPACED_PHRASE = 5;
    private static final int PHRASE_MIN = 2;
    private static final int PHRASE = 3;
    private static final int PHRASE_MAX = 6;
    /// Words of a sentence that only points at the one before.
    private static final int POINTING_MAX = 6;

    private static final int CODE_MIN = 5;
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+|[;\\n{}。！？؟।]+");
    private static final Pattern QUOTED = Pattern.compile(
            "[\"“„«「『‘]([^\"“”„«»「」『』’]{1,60})[\"”“»」』’]|(?<![\\p{L}\\p{N}])'([^'\\n]{1,60})'(?!\\p{L})");
    private static final Pattern CODE = Pattern.compile("\\S*[\\p{L}\\p{N}][-_@/.:~+=#]+[\\p{L}\\p{N}]\\S*");
    /// Capitals that stress, or that everybody writes so.
    private static final Set<String> SHOUTED =
            Set.of("always", "never", "not", "must", "only", "important", "note", "user", "do", "no", "and", "or");

    private final PublicNames known;
    private final PersonNames names;
    final GuardedWords words = new GuardedWords();
    private final RunIndex runs = new RunIndex();
    final SentenceIndex sentences = new SentenceIndex();
    private final RunIndex phrases = new RunIndex();
    private final UnspacedRuns unspacedRuns = new UnspacedRuns();
    private final UnspacedRuns unspacedPhrases = new UnspacedRuns();
    private final UnspacedRuns unspacedWords = new UnspacedRuns();
    private final Set<Integer> smallNumbers = new HashSet<>();

    GuardedTexts(JudgePolicy policy) {
        known = new PublicNames(policy.publicNames());
        names = new PersonNames(known);
        policy.guarded().forEach(this::addPhrase);
    }

    /// A developer's, a system's or a tool's text.
    void addConfidential(String text) {
        add(text, true);
    }

    /// Raw reasoning, from the beginning of a word to the end of one.
    void addReasoning(String text) {
        add(text, false);
    }

    private void add(String text, boolean confidential) {
        boolean german = SummaryLanguage.of(text) == SummaryLanguage.DE;
        var words = TextWord.of(text);
        runs.addAll(TextWord.folded(words), RUN);
        runs.addLetters(squeezed(words), RUN_LETTERS);
        unspacedRuns.addAll(text, UNSPACED_RUN);
        if (confidential) {
            unspacedPhrases.addAll(text, UNSPACED_PHRASE);
        }
        var before = List.<TextWord>of();
        for (var sentence : SENTENCE_END.split(text)) {
            var row = TextWord.of(sentence);
            addSentence(sentence, row, confidential, german);
            if (pointsBack(sentence, row)) {
                before.stream().filter(TextWord::isContent).forEach(this::guard);
            }
            before = row;
        }
        QUOTED.matcher(text).results().forEach(quoted -> {
            if (confidential) {
                addPhrase(quoted.group(1) != null ? quoted.group(1) : quoted.group(2));
            }
        });
        CODE.matcher(text).results().forEach(code -> addCode(code.group()));
        smallNumbers.addAll(NumberWords.smallIn(words));
        text.chars().filter(c -> c == '2' || c == '3').forEach(c -> smallNumbers.add(c - '0'));
        PersonNames.unspacedIn(text).forEach(name -> unspacedWords.addWords(name));
    }

    /// "Do not mention it": the secret stands in the sentence before.
    private static boolean pointsBack(String sentence, List<TextWord> row) {
        return row.size() <= POINTING_MAX && SecrecyTalk.makesSecret(sentence);
    }

    private void addSentence(String sentence, List<TextWord> row, boolean confidential, boolean german) {
        boolean secret = SecrecyTalk.makesSecret(sentence);
        var found = names.in(row, german);
        boolean personal = !found.isEmpty() && SecrecyTalk.isPersonal(sentence);
        for (var word : row) {
            boolean open = !known.contains(word);
            boolean rare = open && confidential && WordShapes.isRare(word);
            boolean shouted = open && word.isAllCapitals() && !SHOUTED.contains(word.folded());
            boolean facts = personal && !CommonWords.contains(word.folded());
            if (word.isContent() && (secret || facts || rare || shouted || open && word.isCode())) {
                guard(word);
            }
        }
        found.forEach(this::guard);
        if (secret) {
            unspacedWords.addWords(sentence);
        }
        if (confidential) {
            sentences.add(row);
        }
        addPhrases(row, confidential);
    }

    private void addPhrases(List<TextWord> row, boolean confidential) {
        for (int i = 0; i + PHRASE <= row.size(); i++) {
            var run = row.subList(i, i + PHRASE);
            if (isTelling(run, confidential)) {
                phrases.add(TextWord.folded(run));
            }
        }
    }

    private static boolean isTelling(List<TextWord> run, boolean confidential) {
        long content = run.stream().filter(TextWord::isContent).count();
        if (confidential) {
            return content > 1
                    && run.stream().anyMatch(word -> word.isContent() && !CommonWords.contains(word.folded()));
        }
        return content > 1 && run.stream().filter(WordShapes::isRare).count() > 1;
    }

    private void guard(TextWord word) {
        if (!known.areGrantedBy(word) && !SecrecyTalk.holds(word.folded())) {
            words.add(word.folded());
        }
    }

    private void addPhrase(String phrase) {
        var row = TextWord.of(phrase);
        if (row.size() == 1 && row.getFirst().isContent()) {
            guard(row.getFirst());
        } else if (row.size() >= PHRASE_MIN && row.size() <= PHRASE_MAX) {
            phrases.add(TextWord.folded(row));
        }
        UnspacedRuns.in(phrase).stream()
                .filter(run -> run.length() <= PHRASE_MAX)
                .forEach(unspacedWords::addWords);
    }

    private void addCode(String code) {
        var squeezed = squeezed(TextWord.of(code));
        boolean digits = code.chars().anyMatch(Character::isDigit);
        boolean strange = TextWord.of(code).stream().anyMatch(word -> WordShapes.isRare(word) && !known.contains(word));
        if (squeezed.length() >= CODE_MIN && (digits || strange)) {
            words.addInside(squeezed);
        }
    }

    /// The letters alone.
    static String squeezed(List<TextWord> row) {
        return String.join("", TextWord.folded(row));
    }

    boolean numberIn(String part, SummaryLanguage language) {
        var numbers = NumberWords.in(part, language);
        boolean several = numbers.stream().filter(number -> number != 1).count() > 1;
        return several
                || numbers.stream()
                        .anyMatch(number ->
                                number > NumberWords.SMALL_MAX || smallNumbers.contains(number) && number > 1);
    }

    boolean nameIn(List<TextWord> part, SummaryLanguage language) {
        return names.areToldBy(part, language);
    }

    PublicNames known() {
        return known;
    }

    /// True if these words, or their letters without the blanks, stand in a row in the texts.
    boolean areRunIn(List<String> folded) {
        return runs.occursIn(folded, RUN) || runs.lettersOccurIn(String.join("", folded), RUN_LETTERS);
    }

    boolean runIn(List<TextWord> part, String text) {
        return areRunIn(TextWord.folded(part)) || unspacedRuns.occursIn(text, UNSPACED_RUN);
    }

    boolean wordIn(List<TextWord> part, String text) {
        return part.stream().anyMatch(word -> words.contain(word.folded()))
                || words.occurIn(squeezed(part))
                || unspacedWords.wordOccursIn(text);
    }

    boolean phraseIn(List<TextWord> part, String text) {
        var folded = TextWord.folded(part);
        for (int length = PHRASE_MIN; length <= PHRASE_MAX; length++) {
            if (phrases.occursIn(folded, length)) {
                return true;
            }
        }
        return unspacedPhrases.occursIn(text, UNSPACED_PHRASE);
    }

    @Override
    public String toString() {
        return "GuardedTexts";
    }
}
