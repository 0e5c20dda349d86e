package dev.counterpoint.openai.json;

/// What of a caller's own words an error repeats: enough to find the place, never a whole text.
final class RequestEcho {
    private static final int CHARACTERS_MAX = 64;

    private RequestEcho() {}

    static String of(String words) {
        return words.length() <= CHARACTERS_MAX ? words : words.substring(0, CHARACTERS_MAX) + "…";
    }
}
