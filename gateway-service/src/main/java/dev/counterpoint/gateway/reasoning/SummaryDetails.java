package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.job.SummaryJob;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The words for how detailed a summary is.
final class SummaryDetails {
    static final List<String> WORDS = List.of("auto", "concise", "detailed");

    private SummaryDetails() {}

    /// @param word one of [#WORDS], or null for the first
    static SummaryJob.Detail named(@Nullable String word) {
        return word == null ? SummaryJob.Detail.AUTO : SummaryJob.Detail.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
