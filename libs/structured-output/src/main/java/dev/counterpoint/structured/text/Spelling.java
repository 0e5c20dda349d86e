package dev.counterpoint.structured.text;

/// How characters become bytes.
public enum Spelling {
    /// UTF-8.
    PLAIN,

    /// As inside a JSON string, and only what needs it is escaped: quotes, backslashes and controls, by their short
    /// escape if they have one; controls also by their number.
    JSON,

    /// As inside a JSON string, with every escape that JSON has. Lone surrogates are never spelled.
    JSON_ESCAPES
}
