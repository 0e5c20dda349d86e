package dev.counterpoint.summarizer.judge;

import java.util.regex.Pattern;

/// Replaces the numbers and codes of a text that a model reads. This spares a writer refusals; it protects nothing.
public final class Placeholders {
    private static final Pattern TOKEN_BEGIN = Pattern.compile("<(?=\\|)");
    /// Addresses, paths, keys and identifiers.
    private static final Pattern CODE = Pattern.compile("\\S*(?:://|@|[\\p{L}\\p{N}][_/=#:~\\\\+][\\p{L}\\p{N}])\\S*"
            + "|(?=\\S*\\d)(?=\\S*\\p{IsLatin})[\\p{IsLatin}\\p{N}]+(?:-[\\p{IsLatin}\\p{N}]+)*"
            + "|\\p{Ll}+(?:\\p{Lu}\\p{Ll}+)+");

    private static final Pattern NUMBER = Pattern.compile("\\p{Nd}+");

    private Placeholders() {}

    /// The text without numbers, codes and beginnings of special tokens.
    public static String masked(String text) {
        var plain = TOKEN_BEGIN.matcher(text).replaceAll("< ");
        return NUMBER.matcher(CODE.matcher(plain).replaceAll("[code]")).replaceAll("[number]");
    }
}
