package dev.counterpoint.summarizer.redact;

import dev.counterpoint.summarizer.redact.Redaction.Clean;
import dev.counterpoint.summarizer.redact.Redaction.Stopped;
import dev.counterpoint.summarizer.redact.TokenClassifier.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Lets a sentence pass only when all of it is ordinary words, plain numbers and small formulas. Not thread-safe.
public final class Redactor {
    public static final String PLACEHOLDER = "[redacted]";

    private static final int PLACEHOLDERS_MAX = 2;
    /// Words that one placeholder needs beside it to leave a sentence with a meaning.
    private static final int WORDS_PER_PLACEHOLDER = 3;
    /// A longer sentence without a single grammar word is no English prose.
    private static final int WORDS_WITHOUT_GRAMMAR = 7;
    private static final int FOREIGN_MAX = 1;
    private static final Pattern BLANKS = Pattern.compile(" +");

    private final UserWords user;
    private final TokenClassifier wording;

    public Redactor(UserWords user) {
        this.user = user;
        wording = new TokenClassifier(user);
    }

    /// @param sentence as [Typography#plain] gives it
    public Redaction redact(String sentence) {
        var tokens = new ArrayList<TextToken>();
        var kinds = new ArrayList<Kind>();
        for (var chunk : BLANKS.split(withoutMarker(sentence))) {
            var token = TextToken.of(chunk);
            kinds.add(wording.kind(token, kinds.isEmpty() || endsSentence(tokens.getLast())));
            tokens.add(token);
        }
        if (kinds.contains(Kind.CODE) || new TokenRuns(tokens, kinds, user).exposing()) {
            return new Stopped(true);
        }
        return tooForeign(tokens) ? new Stopped(false) : assemble(tokens, kinds);
    }

    private Redaction assemble(List<TextToken> tokens, List<Kind> kinds) {
        var text = new StringBuilder();
        var words = new ArrayList<String>();
        int placeholders = 0;
        int grammar = 0;
        boolean figures = false;
        boolean names = false;
        boolean numbers = false;
        for (int i = 0; i < tokens.size(); i++) {
            var token = tokens.get(i);
            var lower = token.core().toLowerCase(Locale.ROOT);
            boolean said = user.said(lower);
            switch (kinds.get(i)) {
                case MARK -> placeholders++;
                case WORD, NAME -> {
                    words.add(lower);
                    grammar += EnglishWords.isGrammar(lower) ? 1 : 0;
                    names |= kinds.get(i) == Kind.NAME && !said && !TokenClassifier.isPublicName(token.core());
                }
                case NUMBER, FORMULA -> {
                    words.add(lower);
                    figures = true;
                    numbers |= !said;
                }
                case PUNCTUATION, CODE -> {}
            }
            text.append(i == 0 ? "" : " ").append(shown(token, kinds.get(i)));
        }
        boolean prose = grammar > 0 || figures || words.size() < WORDS_WITHOUT_GRAMMAR;
        boolean meaningful = says(words, figures && sentenceEquates(tokens))
                && placeholders <= PLACEHOLDERS_MAX
                && words.size() >= placeholders * WORDS_PER_PLACEHOLDER;
        return prose && meaningful
                ? new Clean(text.toString(), List.copyOf(words), placeholders == 0, names || placeholders > 0, numbers)
                : new Stopped(false);
    }

    /// Single letters and bare numbers, line by line, are how a code is spelt out; an equation says something.
    private static boolean says(List<String> words, boolean equation) {
        return equation || words.stream().anyMatch(word -> word.length() > 2 && Character.isLetter(word.charAt(0)));
    }

    /// An asterisk between numbers would be emphasis in Markdown.
    private static String shown(TextToken token, Kind kind) {
        return switch (kind) {
            case MARK -> token.around(PLACEHOLDER);
            case FORMULA -> token.around(token.core().replace('*', '×'));
            case PUNCTUATION -> token.isAsterisk() ? "×" : token.around(token.core());
            case WORD, NAME, NUMBER, CODE -> token.around(token.core());
        };
    }

    private static boolean sentenceEquates(List<TextToken> tokens) {
        return tokens.stream().anyMatch(token -> token.core().indexOf('=') >= 0);
    }

    private boolean tooForeign(List<TextToken> tokens) {
        long foreign = tokens.stream()
                .map(token -> token.core().toLowerCase(Locale.ROOT))
                .filter(word -> EnglishWords.isForeign(word))
                .count();
        return foreign > FOREIGN_MAX;
    }

    private static boolean endsSentence(TextToken token) {
        return token.trail().indexOf('.') >= 0
                || token.trail().indexOf(':') >= 0
                || token.trail().indexOf('?') >= 0;
    }

    /// Without what makes it a list item, a heading or a quotation in Markdown.
    private static String withoutMarker(String sentence) {
        int at = 0;
        while (at < sentence.length() && "#>-*+ ".indexOf(sentence.charAt(at)) >= 0) {
            at++;
        }
        // "-5 is smaller": a sign belongs to its number.
        boolean sign = at > 0
                && at < sentence.length()
                && sentence.charAt(at - 1) != ' '
                && "-+".indexOf(sentence.charAt(at - 1)) >= 0;
        var rest = sentence.substring(sign ? at - 1 : at);
        int digits = 0;
        while (digits < rest.length() && digits < 3 && PlainNumbers.isDigit(rest.charAt(digits))) {
            digits++;
        }
        boolean item = digits > 0
                && digits + 1 < rest.length()
                && ".)".indexOf(rest.charAt(digits)) >= 0
                && rest.charAt(digits + 1) == ' ';
        return item ? rest.substring(digits + 2).strip() : rest;
    }
}
