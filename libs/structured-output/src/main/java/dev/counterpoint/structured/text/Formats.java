package dev.counterpoint.structured.text;

import java.util.Optional;

/// The values of JSON Schema's keyword `format`.
public final class Formats {
    private Formats() {}

    /// What a format allows, or empty when the format is unknown or allows every string. All of it is valid for every
    /// common validator; where these differ the pattern is the narrower one.
    public static Optional<TextPattern> find(String name) {
        return Optional.empty();
    }
}
