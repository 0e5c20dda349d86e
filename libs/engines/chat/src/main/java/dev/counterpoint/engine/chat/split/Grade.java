package dev.counterpoint.engine.chat.split;

import java.util.Set;

/// How sure it is that a mark is meant as one, and not spoken about.
enum Grade {
    /// As models write it: what follows may be shown.
    STRONG,
    /// Within a line, but beside no sentence: models write it so, and hardly anybody who speaks of it.
    TIGHT,
    /// In the middle of a sentence, beside a quote, or in code.
    LOOSE,
    /// Between quotes: spoken about.
    MENTION;

    private static final String QUOTES_BEFORE = "\"'`\u201c\u2018\u201e\u00ab\u2039(\u300c\u300e\u300a[";
    private static final String QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb";
    private static final String QUOTES_AFTER = "\"'`\u201d\u2019\u201c\u00bb\u203a)\u300d\u300f\u300b]";
    private static final String SENTENCE_ENDS = ".!?:;\u2026\u3002\uff01\uff1f)]}";

    /// Nouns that follow a mark that is spoken about.
    private static final Set<String> NOUNS = Set.of(
            "tag",
            "tags",
            "mark",
            "marks",
            "marker",
            "markers",
            "token",
            "tokens",
            "element",
            "elements",
            "block",
            "blocks",
            "section",
            "sections",
            "delimiter",
            "delimiters",
            "label",
            "labels");

    /// Words before a mark that is spoken about.
    private static final Set<String> CUES = Set.of(
            "a", "an", "the", "use", "uses", "using", "with", "in", "inside", "between", "called", "named", "like",
            "write", "writes", "type", "add", "put", "by", "of", "and", "or", "opening", "closing", "tag", "tags",
            "element", "token", "mark", "wrap", "emit", "emits", "via", "your", "its");

    /// Words between two marks that are spoken about.
    private static final Set<String> CONJUNCTIONS = Set.of("and", "or");

    /// What stands between the marks of a pair that is only spoken about, and hides nothing.
    private static final Set<String> HARMLESS =
            Set.of("", "...", "\u2026", "and", "or", "to", "/", ",", "&", "und", "et", "y", "` and `", "` / `");

    /// The grade of a closing mark.
    static Grade ofClose(Mark mark, Before before, Ahead ahead) {
        if (isQuoted(before, ahead)) {
            return MENTION;
        }
        boolean quote = !ahead.blank() && QUOTES.indexOf(ahead.first()) >= 0;
        if (before.code() || !before.lineStart() && (quote || before.opensQuote())) {
            return LOOSE;
        }
        if (mark.pair().isHeading()) {
            boolean sure = Character.isLetter(mark.pair().open().charAt(0));
            return !before.lineStart() ? LOOSE : sure ? STRONG : TIGHT;
        }
        if (before.lineStart()) {
            return ahead.goesOn() ? LOOSE : quote ? TIGHT : STRONG;
        }
        if (before.blank() && (CUES.contains(before.word()) || before.last() == ':')) {
            return LOOSE;
        }
        if (ahead.newlines() > 1) {
            return STRONG;
        }
        boolean sentenceEnds = SENTENCE_ENDS.indexOf(before.last()) >= 0;
        if (ahead.newlines() == 1) {
            boolean sentenceGoesOn = before.blank() && Character.isLowerCase(ahead.first());
            return sentenceGoesOn ? LOOSE : STRONG;
        }
        if (ahead.goesOn()) {
            return before.blank() || ahead.blank() ? LOOSE : TIGHT;
        }
        if (before.blank()) {
            return sentenceEnds ? TIGHT : LOOSE;
        }
        return sentenceEnds ? STRONG : TIGHT;
    }

    /// The grade of an opening mark.
    static Grade ofOpen(Before before, Ahead ahead) {
        if (isQuoted(before, ahead)) {
            return MENTION;
        }
        if (before.lineStart()) {
            return NOUNS.contains(ahead.word()) ? LOOSE : STRONG;
        }
        boolean spokenOf = isNamed(before, ahead)
                || CUES.contains(before.word()) && ahead.goesOn()
                || CUES.contains(before.word()) && ahead.first() == 0;
        boolean between = before.blank() || QUOTES_BEFORE.indexOf(before.last()) >= 0;
        return spokenOf && between ? LOOSE : STRONG;
    }

    /// Whether what follows an opening mark in a line is no reasoning, whatever the line says before it.
    static boolean isNamed(Before before, Ahead ahead) {
        boolean listed = before.blank() && !ahead.blank() && ahead.first() != 0 && ",:;)".indexOf(ahead.first()) >= 0;
        return listed || NOUNS.contains(ahead.word()) || CONJUNCTIONS.contains(ahead.word());
    }

    /// Whether an opening mark within reasoning stands in the middle of a sentence.
    static boolean isInSentence(Before before, Ahead ahead) {
        return !before.lineStart() && before.blank() && ahead.goesOn();
    }

    /// Whether a closing mark without an opening one is spoken about.
    static boolean isSpokenOf(Before before, Ahead ahead) {
        return before.code() || NOUNS.contains(ahead.word());
    }

    /// Whether the words beside a mark speak about it.
    static boolean isMentioned(Before before, Ahead ahead) {
        return NOUNS.contains(ahead.word()) || CUES.contains(before.word());
    }

    /// Whether the line before a closing mark in a line of its own leads over to it, or the sentence seems to go on in
    /// the
    /// next line, as where the mark is quoted.
    static boolean leadsOver(Before before, Ahead ahead) {
        boolean introduced = ":,([{".indexOf(before.last()) >= 0 || CUES.contains(before.word());
        boolean goesOn = ahead.newlines() <= 1 && (Character.isLowerCase(ahead.first()) || ahead.goesOn());
        return before.lineStart() && (introduced || goesOn);
    }

    /// Longer text is not harmless.
    static final int HARMLESS_MAX = 16;

    static boolean isHarmless(CharSequence between) {
        return HARMLESS.contains(MarkSpelling.small(between.toString()).strip());
    }

    private static boolean isQuoted(Before before, Ahead ahead) {
        if (before.lineStart() || before.blank() || ahead.blank() || ahead.first() == 0) {
            return false;
        }
        int quote = QUOTES_BEFORE.indexOf(before.last());
        return quote >= 0 && QUOTES_AFTER.charAt(quote) == ahead.first()
                || before.last() == '\u201d' && ahead.first() == '\u201d';
    }
}
