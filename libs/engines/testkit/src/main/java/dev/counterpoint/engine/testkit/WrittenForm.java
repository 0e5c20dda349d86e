package dev.counterpoint.engine.testkit;

import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.export.GrammarDialect;
import dev.counterpoint.structured.export.GrammarText;
import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A grammar, ended by `<|return|>`, that a server is given; it never corrects the server. Not thread-safe.
final class WrittenForm implements TokenMask {
    static final LexemeIndex LEXEMES = new LexemeIndex(new TokenVocabulary(new byte[][] {{'a'}}));

    private final Matcher matcher;

    WrittenForm(Grammar grammar) {
        matcher = new Constraint(grammar, LEXEMES).start();
    }

    @Override
    public long @Nullable [] allowed() {
        return null;
    }

    @Override
    public boolean takes(int token) {
        return token == SpecialTokens.RETURN || !SpecialTokens.isSpecial(token);
    }

    @Override
    public void accept(int token) {
        if (token != SpecialTokens.RETURN) {
            matcher.accept(HarmonyTokenizer.shared().bytes(token));
        }
    }

    @Override
    public @Nullable String rest(GrammarNotation notation) {
        var written = switch (notation) {
            case GBNF -> GrammarDialect.Notation.GBNF;
            case XGRAMMAR -> GrammarDialect.Notation.XGRAMMAR;
        };
        var dialect = new GrammarDialect(written, SpecialTokens.FIRST, Set.of(SpecialTokens.RETURN));
        return GrammarText.of(matcher.rest(), dialect);
    }
}
