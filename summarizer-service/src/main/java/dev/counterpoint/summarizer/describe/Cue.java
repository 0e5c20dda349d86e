package dev.counterpoint.summarizer.describe;

/// A word or phrase in reasoning that suggests an activity.
///
/// @param text as [CueText] has it, without blanks around it
/// @param prefix whether it also matches words that begin with it
/// @param weight strength of the suggestion
record Cue(String text, boolean prefix, int weight) {
    private static final int STRONG = 4;
    private static final int PLAIN = 2;
    private static final int WEAK = 1;
    /// A last word of at least this many letters also matches its inflections, in languages that inflect.
    private static final int STEM_MIN = 4;

    /// @param written `!` before it makes a cue strong and `?` weak; `~` after it makes it a prefix, `.` a whole word;
    ///     `#` in it is any number
    /// @param inflected whether the language inflects its words at their ends
    static Cue of(String written, boolean inflected) {
        int weight = written.startsWith("!") ? STRONG : written.startsWith("?") && written.length() > 1 ? WEAK : PLAIN;
        var text = normal(written);
        var last = text.substring(text.lastIndexOf(' ') + 1);
        boolean stem = inflected && last.length() >= STEM_MIN && !written.endsWith(".");
        boolean unspaced = !text.isEmpty() && CueText.unspaced(text.charAt(text.length() - 1));
        return new Cue(text, written.endsWith("~") || stem || unspaced, weight);
    }

    static String normal(String written) {
        var bare = (written.startsWith("!") || written.startsWith("?")) && written.length() > 1
                ? written.substring(1)
                : written;
        return CueText.normal(bare.replace('#', '1')).strip();
    }
}
