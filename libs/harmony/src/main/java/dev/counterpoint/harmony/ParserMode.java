package dev.counterpoint.harmony;

/// How the parser treats what the format does not allow.
public enum ParserMode {
    /// As the reference parser: throws {@link HarmonyFormatException}.
    STRICT,
    /// As the reference parser with `strict=false`: saves text trapped in a header, throws otherwise.
    LENIENT,
    /// Never throws and always flushes: the mode for model output in production.
    ROBUST
}
