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

    /// As in BCP 47.
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
