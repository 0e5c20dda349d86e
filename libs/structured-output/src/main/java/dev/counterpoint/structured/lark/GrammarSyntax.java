package dev.counterpoint.structured.lark;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.UnsatisfiableException;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The syntaxes in which clients may write the grammar of a custom tool. Compiling takes bounded work, whatever the
/// definition.
public enum GrammarSyntax {
    /// See [LarkGrammar].
    LARK,
    /// See [RegexSyntax].
    REGEX;

    /// About half a second in the worst case.
    private static final long STEPS_MAX = 400_000;

    private static final int LENGTH_MAX = 100_000;

    /// @param name as in requests: `lark` or `regex`
    public static Optional<GrammarSyntax> of(String name) {
        return Arrays.stream(values())
                .filter(syntax -> syntax.wireName().equals(name))
                .findFirst();
    }

    /// The names that [#of] knows.
    public static List<String> names() {
        return Arrays.stream(values()).map(GrammarSyntax::wireName).toList();
    }

    private String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The texts that fit a definition.
    ///
    /// @throws GrammarRefusedException when it is malformed, fits no text, is too complex, or has what cannot be
    ///     enforced
    public Grammar compile(String definition, RegexPool pool) {
        try (var _ = WorkLimit.of(STEPS_MAX)) {
            var builder = new GrammarBuilder(pool);
            return builder.build(write(builder, definition));
        } catch (GrammarSyntaxException | TooComplexException e) {
            throw new GrammarRefusedException(String.valueOf(e.getMessage()));
        } catch (UnsatisfiableException _) {
            throw new GrammarRefusedException("The grammar fits no text.");
        }
    }

    /// The same as a part of a larger grammar. A part that fits no text makes whatever needs it fit nothing.
    ///
    /// @throws GrammarRefusedException as [#compile]
    public Symbol into(GrammarBuilder builder, String definition) {
        try (var _ = WorkLimit.of(STEPS_MAX)) {
            return write(builder, definition);
        } catch (GrammarSyntaxException | TooComplexException e) {
            throw new GrammarRefusedException(String.valueOf(e.getMessage()));
        }
    }

    private Symbol.Rule write(GrammarBuilder builder, String definition) {
        if (definition.length() > LENGTH_MAX) {
            throw new GrammarRefusedException("The grammar has more than " + LENGTH_MAX + " characters.");
        }
        return switch (this) {
            case LARK -> LarkGrammar.into(builder, definition);
            case REGEX -> RegexSyntax.into(builder, definition);
        };
    }
}
