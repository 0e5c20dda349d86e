package dev.counterpoint.structured.text;

/// How characters become bytes.
public enum Spelling {
    /// UTF-8.
    PLAIN,

    /// As inside a JSON string, and no character is escaped that need not be: quotes, backslashes and controls alone are, by their
    /// short escape; controls also by `\` and `u00XX`.
    JSON,

    /// As inside a JSON string, with every escape that JSON has. Lone surrogates are never spelled.
    JSON_ESCAPES
}
