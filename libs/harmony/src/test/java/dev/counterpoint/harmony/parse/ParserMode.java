package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.TokenParser;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.render.ReferenceCodec;
import org.jspecify.annotations.Nullable;

/// What a parser does with tokens that the format does not allow.
public enum ParserMode {
    /// As the reference parser: throws {@link HarmonyFormatException}.
    STRICT,
    /// As the reference parser with `strict=false`: saves text trapped in a header, throws otherwise.
    LENIENT,
    /// As {@link HarmonyParser}: never throws and always flushes.
    ROBUST;

    public TokenParser open(ReferenceCodec reference, @Nullable Role startRole) {
        return switch (this) {
            case STRICT -> new ReferenceParser(reference, false, startRole);
            case LENIENT -> new ReferenceParser(reference, true, startRole);
            case ROBUST -> TokenParser.of(new HarmonyParser(startRole));
        };
    }
}
