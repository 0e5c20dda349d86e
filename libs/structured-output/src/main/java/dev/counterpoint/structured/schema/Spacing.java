package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.ByteSet;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;

/// Where blanks may stand between the parts of a JSON value. Always boundedly many, so that no model writes them
/// for ever.
public enum Spacing {
    /// Nowhere.
    NONE,

    /// As Python, JavaScript and pretty printers write them: up to two blanks, then a line may end and be indented.
    COMMON;

    private static final int BLANKS_MAX = 2;
    private static final int INDENT_MAX = 100;

    Regex regex(RegexPool pool) {
        var blank = pool.bytes(ByteSet.of(' ', '\t'));
        return switch (this) {
            case NONE -> pool.empty();
            case COMMON -> {
                var line = pool.concat(
                        pool.optional(pool.literal("\r")), pool.literal("\n"), pool.repeat(blank, 0, INDENT_MAX));
                yield pool.concat(pool.repeat(blank, 0, BLANKS_MAX), pool.optional(line));
            }
        };
    }
}
