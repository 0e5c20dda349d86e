package dev.counterpoint.structured.lark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import dev.counterpoint.testkit.CodexTools;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LarkGrammarTest {
    private static final LexemeIndex BYTES = new LexemeIndex(new TokenVocabulary(
            IntStream.range(0, 255).mapToObj(value -> new byte[] {(byte) value}).toArray(byte[][]::new)));

    private final RegexPool pool = new RegexPool();

    private static boolean matches(Grammar grammar, String text) {
        var matcher = new Constraint(grammar, BYTES).start();
        for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
            if (!matcher.accept(value & 0xff)) {
                return false;
            }
        }
        return matcher.accepting();
    }

    private boolean fits(String grammar, String text) {
        return matches(LarkGrammar.compile(grammar, pool), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*** Begin Patch\n*** Add File: a b.txt\n+\n+é\n*** End Patch",
                "*** Begin Patch\n*** Delete File: a\n*** Update File: b\n"
                        + "*** Move to: c\n@@ class A\n x\n-y\n+z\n*** End of File\n*** End Patch\n",
                "*** Begin Patch\n*** Update File: b\n@@\n@@ def f():\n- y\n*** End Patch"
            })
    void takesPatches(String patch) {
        assertThat(fits(CodexTools.APPLY_PATCH, patch)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*** Begin Patch\n*** End Patch",
                "*** Begin Patch\n*** Add File: a\n*** End Patch",
                "*** Begin Patch\n*** Add File: \n+\n*** End Patch",
                "*** Begin Patch\n*** Update File: b\n?\n*** End Patch",
                "*** Begin Patch\n*** Delete File: a\n+x\n*** End Patch"
            })
    void refusesWhatIsNoPatch(String patch) {
        assertThat(fits(CodexTools.APPLY_PATCH, patch)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "start: sum, 1+(2+3), true", "start: sum, 1+, false", "start: \"a\"~2..3, aaa, true",
                        "start: \"a\"~2..3, aaaa, false",
                "start: (A \"b\")~2 \"c\"?, xbxb, true", "start: [A] \"b\", b, true",
                        "start: \"select\"i, SeLecT, true", "start: \"x\"..\"z\"+, xyz, true",
                "start: T+ -> alias | \"n\", tt, true", "start: /[ab]c/i, Bc, true", "start: /a.c/, a\u00e9c, true",
                        "start: \"\\u0041\\x42\\\\d\", AB\\d, true",
                "start: A~0 \"q\", q, true", "start: sum~2..3, 11, true", "start: NAME ESC, ab_1\"x\\\"y\", true",
                        "start: C, /* a * b */, true",
                "start: C, /* a */ b */, false", "start: NUMBER, 1.5e-7, true"
            })
    void readsTheSyntax(String start, String text, boolean fits) {
        var grammar = start + """

                // a comment
                ?sum: product
                    | sum "+" product   # another
                !product.2: N | "(" sum ")"
                N: /[0-9]/
                A: "x"
                T.1: "t" | N
                %import common.CNAME -> NAME
                %import common (NUMBER, INT)
                %import common.ESCAPED_STRING -> ESC
                %import common.C_COMMENT -> C
                """;
        assertThat(fits(grammar, text)).isEqualTo(fits);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"` 1 + 2`, true", "`1+2 `, true", "`1 2`, false", "``, false"})
    void whatIsIgnoredMayStandBetweenTerminals(String text, boolean fits) {
        assertThat(fits("start: N (\"+\" N)*\nN: /[0-9]/\n%import common.WS\n%ignore WS\n", text))
                .isEqualTo(fits);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "start: a; 1; 8",
                "begin: \"a\"; 1; 1",
                "`start: \"a`; 1; 8",
                "`start: A\nA: \"a\" A`; 2; 8",
                "`start: A\nA: b\nb: \"a\"`; 2; 4",
                "`start: A\nA: \"a\"\nA: \"b\"`; 3; 1",
                "start: x{a}; 1; 9",
                "`start: \"a\"\n%declare X`; 2; 1",
                "`start: \"a\"\n%import python.X`; 2; 9",
                "`start: \"a\"\n%import common.NOPE`; 2; 16",
                "start: /(a)\\1/; 1; 8",
                "start: (\"a\"; 1; 12",
                "start: \"a\"~3..2; 1; 11",
                "start: \"a\" ); 1; 12",
                "start: \"ab\"..\"c\"; 1; 8",
                "start: \"a\"~99999999; 1; 12",
                "start: ^; 1; 8"
            })
    void saysWhereAGrammarIsWrong(String grammar, int line, int column) {
        assertThatThrownBy(() -> LarkGrammar.compile(grammar, pool))
                .isInstanceOfSatisfying(GrammarSyntaxException.class, wrong -> {
                    assertThat(wrong.line()).isEqualTo(line);
                    assertThat(wrong.column()).isEqualTo(column);
                });
    }

    @Test
    void outlivesHostileGrammars() {
        for (var grammar : new String[] {
            "start: " + "(".repeat(50_000),
            "start: a~10000\na: b~10000\nb: c~10000\nc: \"x\"",
            "start: " + "a ".repeat(100_000) + "\na: \"x\"",
            "start: A0\n" + nested(500),
            "a: \"x\"\n".repeat(50_000),
            "start: " + "\"a\"? ".repeat(50_000),
            "start: start start | \"\" | start?",
            "start: A\nA: " + "\"a\" ".repeat(50_000),
            "start: \"" + "a".repeat(200_000) + "\""
        }) {
            try (var _ = WorkLimit.of(1_000_000)) {
                fits(grammar, "xx");
            } catch (GrammarSyntaxException | TooComplexException expected) {
                assertThat(expected).message().isNotEmpty();
            }
        }
    }

    private static String nested(int count) {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("A%d: (A%d \"x\")? \"y\"\n".formatted(i, i + 1));
        }
        return text.append("A%d: \"z\"\n".formatted(count)).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "[a-z]+\\d{2}, ab12, true",
        "[a-z]+\\d{2}, ab1, false",
        "a|bc, bc, true",
        "a|bc, ac, false",
        "(?i)ab?, A, true"
    })
    void aRegularExpressionIsTheWholeText(String pattern, String text, boolean fits) {
        assertThat(matches(RegexSyntax.compile(pattern, pool), text)).isEqualTo(fits);
    }

    @Test
    void refusesRegularExpressionsOfNoAutomaton() {
        assertThatThrownBy(() -> RegexSyntax.compile("(a)\\1", pool)).isInstanceOf(GrammarSyntaxException.class);
    }
}
