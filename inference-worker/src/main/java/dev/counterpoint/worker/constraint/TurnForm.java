package dev.counterpoint.worker.constraint;

import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.export.GrammarDialect;
import dev.counterpoint.structured.export.GrammarText;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.TooComplexException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The grammar of a turn for engines that obey only masks of few tokens: it allows every token, gives the server
/// the rest of the turn in the server's notation, and tracks which tokens fit. It ends after a token that does not
/// fit; then only [StrictCheck] applies. Not thread-safe.
final class TurnForm implements TokenMask {
    /// llama.cpp takes these three for the end of any grammar. vLLM tells XGrammar the same ones, by the model's
    /// `generation_config.json` and the request, and XGrammar takes no stop token inside a grammar.
    private static final Set<Integer> ENDS =
            Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);

    private static final GrammarDialect GBNF =
            new GrammarDialect(GrammarDialect.Notation.GBNF, SpecialTokens.FIRST, ENDS);

    private static final GrammarDialect XGRAMMAR =
            new GrammarDialect(GrammarDialect.Notation.XGRAMMAR, SpecialTokens.FIRST, ENDS);

    private @Nullable Matcher matcher;

    TurnForm(Constraint constraint) {
        matcher = constraint.start();
    }

    @Override
    public long @Nullable [] allowed() {
        return null;
    }

    @Override
    public boolean takes(int token) {
        if (matcher == null) {
            return true;
        }
        boolean fits = follows(matcher, token);
        if (fits) {
            matcher.rollback(1);
        }
        return fits;
    }

    @Override
    public void accept(int token) {
        if (matcher != null && !follows(matcher, token)) {
            matcher = null;
        }
    }

    @Override
    public @Nullable String rest(GrammarNotation notation) {
        if (matcher == null) {
            return null;
        }
        var dialect = switch (notation) {
            case GBNF -> GBNF;
            case XGRAMMAR -> XGRAMMAR;
        };
        try {
            return GrammarText.of(matcher.rest(), dialect);
        } catch (TooComplexException _) {
            return null;
        }
    }

    private static boolean follows(Matcher matcher, int token) {
        try {
            return matcher.accept(token);
        } catch (TooComplexException _) {
            return false;
        }
    }
}
