package dev.counterpoint.structured.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.structured.export.GrammarDialect.Notation;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.regex.ByteSet;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.text.JsonText;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GrammarTextTest {
    private static final GrammarDialect GBNF = new GrammarDialect(Notation.GBNF, 1000, Set.of(1002));
    private static final GrammarDialect XGRAMMAR = new GrammarDialect(Notation.XGRAMMAR, 1000, Set.of(1002));

    private final RegexPool pool = new RegexPool();
    private final GrammarBuilder builder = new GrammarBuilder(pool);

    @Test
    void aLiteralStaysOne() {
        assertThat(of(pool.literal("aé€\""), GBNF)).isEqualTo("""
                root ::= r0
                r0 ::= "a\\u00E9\\u20AC\\u0022"
                """);
    }

    @Test
    void whatRepeatsOnTheLeftBecomesARepetition() {
        var list = builder.rule();
        builder.add(list, list, builder.literal(","), builder.literal("x"));
        builder.add(list, builder.literal("x"));

        assertThat(GrammarText.of(builder.build(list), GBNF)).isEqualTo("""
                root ::= r0
                r0 ::= ("x") ("\\u002C" "x")*
                """);
    }

    @Test
    void whatRepeatsOnTheLeftThroughSeveralRulesDoesTooOnce() {
        var object = builder.rule();
        var member = builder.rule();
        builder.add(object, builder.literal("a"));
        builder.add(object, member, builder.literal("c"));
        builder.add(member, object, builder.literal("b"));

        assertThat(GrammarText.of(builder.build(object), GBNF)).isEqualTo("""
                root ::= r0
                r0 ::= "a" | r1 "c"
                r1 ::= ("a" "b") ("c" "b")*
                """);
    }

    @Test
    void countedRepetitionsStayCountedAndVeryLongOnesHaveNoEnd() {
        var letter = pool.range('a', 'z');

        assertThat(of(pool.concat(pool.repeat(letter, 2, 90), pool.literal("!")), GBNF))
                .contains("(s1){2,90} \"\\u0021\"", "s1 ::= [a-z]");
        assertThat(of(pool.repeat(letter, 0, 5_000), GBNF)).contains("{0,}");
    }

    @Test
    void freeTextGoesUpToTheTokenThatEndsIt() {
        var text = pool.star(pool.bytes(ByteSet.of(TokenVocabulary.SPECIAL).complement()));
        var turn = pool.concat(text, pool.literal(TokenVocabulary.special(7)), pool.literal("on"));

        assertThat(of(turn, GBNF)).contains("(!<[1007]>)* (<[1007]> \"on\")");
        assertThat(of(turn, XGRAMMAR)).contains("(ExcludeToken(1007))* (Token(1007) \"on\")");
        assertThat(of(pool.concat(text, pool.literal(TokenVocabulary.special(2))), GBNF))
                .contains("(.)* (\"\")");
    }

    @Test
    void charactersOfAllLengthsAreRanges() {
        assertThat(of(JsonText.anyString(pool), GBNF)).contains("-\\U0010FFFF]").contains("\\uE000-");
    }

    @Test
    void whatIsTooLargeOrWithinACharacterIsNotWritten() {
        var half = pool.literal("é").step(0xc3);

        assertThat(of(Objects.requireNonNull(half), GBNF)).isNull();
        var odd = pool.not(pool.concat(pool.anything(), pool.literal("ab"), pool.repeat(pool.range('a', 'z'), 15, 15)));
        assertThat(of(pool.and(pool.star(pool.range('a', 'c')), odd), GBNF)).isNull();
    }

    private @Nullable String of(Regex regex, GrammarDialect dialect) {
        var start = builder.rule();
        builder.add(start, builder.terminal(regex));
        return GrammarText.of(builder.build(start), dialect);
    }
}
