package dev.counterpoint.summarizer.redact;

import java.util.Locale;
import java.util.Set;

/// Classifies a token by an allow list: a token that is not known by shape or by word is a `MARK` or a `CODE`.
final class TokenClassifier {
    enum Kind {
        WORD,
        /// A capitalised word that is ordinary otherwise, or public.
        NAME,
        NUMBER,
        /// A formula, or an operator between two numbers.
        FORMULA,
        PUNCTUATION,
        /// Not ordinary, but short and plain: one of these may stand in a sentence as a placeholder.
        MARK,
        /// Looks like a secret, an address or an identifier: its sentence cannot pass.
        CODE
    }

    private static final int MARK_LENGTH = 14;
    private static final int NAME_RANK = 60_000;
    private static final Set<String> ACRONYMS = WordList.words(TokenClassifier.class, "acronyms");
    private static final Set<String> PUBLIC_NAMES = WordList.words(TokenClassifier.class, "names-that-may-pass");
    private static final Set<String> SIGNS = Set.of(
            "", "-", "–", "—", "…", "=", "+", "*", "/", "×", "÷", "<", ">", "≤", "≥", "<=", ">=", "==", "+=", "≈", "≠",
            "±", "→", "->", "&", "·", "%", "^", "=>");
    private static final Set<String> SHORTENED = Set.of(
            "e.g", "i.e", "etc", "vs", "approx", "u.s", "a.m", "p.m", "c++", "c#", "km/h", "m/s", "and/or", "naïve",
            "café", "i/o", "w.r.t");

    private final UserWords user;

    TokenClassifier(UserWords user) {
        this.user = user;
    }

    Kind kind(TextToken token, boolean first) {
        var core = token.core();
        if (SIGNS.contains(core)) {
            return token.lead().length() + token.trail().length() > 4 ? Kind.CODE : Kind.PUNCTUATION;
        }
        if (user.said(core)) {
            return PlainNumbers.isNumber(core) ? Kind.NUMBER : Kind.WORD;
        }
        if (PlainNumbers.isNumber(core)) {
            return Kind.NUMBER;
        }
        if (PlainNumbers.isFormula(core)) {
            return Kind.FORMULA;
        }
        if (ACRONYMS.contains(core) || SHORTENED.contains(core.toLowerCase(Locale.ROOT))) {
            return Kind.WORD;
        }
        return word(core, first);
    }

    static boolean isPublicName(String core) {
        return PUBLIC_NAMES.contains(core);
    }

    private Kind word(String core, boolean first) {
        var parts = core.split("-", -1);
        if (parts.length > 1) {
            return compound(core, parts);
        }
        int slash = core.indexOf('/');
        if (slash > 0 && slash == core.lastIndexOf('/')) {
            return isPlain(core.substring(0, slash)) && isPlain(core.substring(slash + 1)) ? Kind.WORD : strange(core);
        }
        if (isPlain(core)) {
            return Kind.WORD;
        }
        if (isCapitalised(core)) {
            return name(core, first);
        }
        return strange(core);
    }

    private Kind name(String core, boolean first) {
        var base = core.endsWith("'s") ? core.substring(0, core.length() - 2) : core;
        if (PUBLIC_NAMES.contains(base)) {
            return Kind.NAME;
        }
        int rank = rank(base.toLowerCase(Locale.ROOT));
        if (first) {
            return rank == EnglishWords.UNKNOWN ? Kind.MARK : Kind.WORD;
        }
        return rank < NAME_RANK ? Kind.NAME : Kind.MARK;
    }

    /// "long-term" and "step-by-step" pass; three words of content in a row are how pass phrases are written.
    private Kind compound(String core, String[] parts) {
        int content = 0;
        for (int i = 0; i < parts.length; i++) {
            boolean number = i == 0 && PlainNumbers.isNumber(parts[i]) && parts[i].length() <= 3;
            var part = i == 0 && isCapitalised(parts[i]) ? parts[i].toLowerCase(Locale.ROOT) : parts[i];
            if (!number && !isPlain(part)) {
                return isWordy(parts) ? Kind.MARK : strange(core);
            }
            content += EnglishWords.isGrammar(part) ? 0 : 1;
        }
        return content > 2 || parts.length > 4 ? Kind.CODE : Kind.WORD;
    }

    private static boolean isWordy(String[] parts) {
        int content = 0;
        for (var part : parts) {
            boolean counter = part.length() == 1 && Character.isDigit(part.charAt(0));
            if (!counter && rank(part.toLowerCase(Locale.ROOT)) == EnglishWords.UNKNOWN) {
                return false;
            }
            content += counter ? 0 : 1;
        }
        return content <= 2;
    }

    private boolean isPlain(String word) {
        return word.length() == 1 && Character.isLetter(word.charAt(0)) && word.charAt(0) < 0x7F
                || user.said(word)
                || rank(word) != EnglishWords.UNKNOWN;
    }

    private static int rank(String word) {
        if (EnglishWords.isForeign(word)) {
            return EnglishWords.UNKNOWN;
        }
        var base = word.endsWith("'s") ? word.substring(0, word.length() - 2) : word;
        base = base.endsWith("'") ? base.substring(0, base.length() - 1) : base;
        return EnglishWords.rank(base);
    }

    private static boolean isCapitalised(String word) {
        return word.length() > 1
                && Character.isUpperCase(word.charAt(0))
                && word.chars().skip(1).allMatch(c -> Character.isLowerCase(c) || c == '\'');
    }

    private static Kind strange(String core) {
        int digits = 0;
        int upper = 0;
        for (int i = 0; i < core.length(); i++) {
            char c = core.charAt(i);
            if (c > 0x7F && Character.UnicodeScript.of(c) != Character.UnicodeScript.LATIN
                    || "@\\=<>[]{}|#$%~^*+/&".indexOf(c) >= 0) {
                return Kind.CODE;
            }
            digits += Character.isDigit(c) ? 1 : 0;
            upper += Character.isUpperCase(c) ? 1 : 0;
        }
        boolean short_ = core.length() <= MARK_LENGTH && digits <= 2;
        return short_ && (upper <= 1 || core.length() <= 8) ? Kind.MARK : Kind.CODE;
    }
}
