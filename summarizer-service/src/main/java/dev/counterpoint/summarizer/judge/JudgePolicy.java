package dev.counterpoint.summarizer.judge;

import java.util.List;

/// What an operator adds to the judge's rules.
///
/// @param guarded words and phrases that no written part may tell, whatever the texts of a request say
/// @param publicNames names that may be told although they stand in confidential texts
public record JudgePolicy(List<String> guarded, List<String> publicNames) {
    /// The judge's own rules alone.
    public static final JudgePolicy NONE = new JudgePolicy(List.of(), List.of());

    public JudgePolicy {
        guarded = List.copyOf(guarded);
        publicNames = List.copyOf(publicNames);
    }

    @Override
    public String toString() {
        return "JudgePolicy[guarded=%d, publicNames=%d]".formatted(guarded.size(), publicNames.size());
    }
}
