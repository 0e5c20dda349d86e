package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.gateway.tenancy.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The most that the summary of a request's reasoning may be: a request narrows what its tenant may have, and never
/// widens it.
public final class SummaryTierWish {
    /// The member of a request that says it.
    public static final String MEMBER = "reasoning_summary_tier";

    private static final String DESCRIBED = "described";
    private static final String WRITTEN = "written";
    public static final List<String> WORDS = List.of(DESCRIBED, WRITTEN);

    private SummaryTierWish() {}

    /// Whether a model may write the summary.
    ///
    /// @param most one of [#WORDS], or null for what the tenant may have
    public static boolean written(@Nullable String most, Caller caller) {
        return caller.writtenSummaries() && !DESCRIBED.equals(most);
    }

    /// Whether more is wished than the tenant may have.
    public static boolean hasNoEffect(@Nullable String most, Caller caller) {
        return WRITTEN.equals(most) && !caller.writtenSummaries();
    }
}
