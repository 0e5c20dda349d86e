package dev.counterpoint.summarizer.describe;

/// Renders descriptions from templates; whatever else it shows comes from the request.
public final class DescriptionRenderer {
    /// Renderings of one description with this many consecutive variants differ.
    public static final int VARIANTS = 4;

    /// @param variant a counter of the caller's, from 0; consecutive parts take consecutive ones
    public String title(Description description, SummaryLanguage language, int variant) {
        return "";
    }

    /// @param variant the title's
    public String sentence(Description description, SummaryLanguage language, int variant) {
        return "";
    }
}
