package dev.counterpoint.summarizer.describe;

import java.util.Locale;

/// The languages in which descriptions can be rendered.
public enum SummaryLanguage {
    EN,
    DE,
    FR,
    ES,
    IT,
    PT,
    NL,
    PL,
    TR,
    RU,
    AR,
    HI,
    ZH,
    JA,
    KO;

    /// The language of a text; the default is English.
    public static SummaryLanguage of(String text) {
        return LanguageDetector.of(text);
    }

    /// Whether it is written without blanks between words.
    boolean unspaced() {
        return this == ZH || this == JA;
    }

    /// As in BCP 47.
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
