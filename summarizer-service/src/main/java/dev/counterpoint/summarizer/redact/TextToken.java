package dev.counterpoint.summarizer.redact;

/// A run between blanks: what it says, and the punctuation around that.
record TextToken(String lead, String core, String trail) {
    private static final String LEADING = "\"'(*`";
    private static final String TRAILING = "\"').,;:!?…*`";

    static TextToken of(String chunk) {
        int start = 0;
        while (start < chunk.length() && LEADING.indexOf(chunk.charAt(start)) >= 0) {
            start++;
        }
        int end = chunk.length();
        while (end > start && TRAILING.indexOf(chunk.charAt(end - 1)) >= 0) {
            end--;
        }
        var core = chunk.substring(start, end);
        // f(x): the bracket belongs to what it closes.
        while (end < chunk.length() && chunk.charAt(end) == ')' && count(core, '(') > count(core, ')')) {
            core = chunk.substring(start, ++end);
        }
        return new TextToken(chunk.substring(0, start), core, chunk.substring(end));
    }

    private static long count(String text, char c) {
        return text.chars().filter(d -> d == c).count();
    }

    /// The punctuation that may be shown: emphasis and code marks are not.
    String around(String word) {
        return shown(lead) + word + shown(trail);
    }

    private static String shown(String punctuation) {
        return punctuation.replace("*", "").replace("`", "");
    }

    boolean isAsterisk() {
        return core.isEmpty() && (lead + trail).equals("*");
    }

    boolean endsClause() {
        return !trail.isEmpty();
    }
}
