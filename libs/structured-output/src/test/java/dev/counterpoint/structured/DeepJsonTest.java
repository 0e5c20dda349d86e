package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.vocabulary.TokenBits;
import org.junit.jupiter.api.Test;

/// Any JSON at all: brackets balance however deep they are, and blanks come to an end.
class DeepJsonTest {
    private static final int DEPTH = 1000;
    /// More than any spacing allows in a row.
    private static final int BLANKS_MAX = 200;

    private final Constraint constraint = new Constraint(
            JsonSchemaCompiler.compile(SchemaDice.object(), SchemaOptions.STRICT, RegexPool.shared())
                    .grammar(),
            ModelTokens.index());
    private final TokenBits mask = new TokenBits(ModelTokens.SIZE);

    @Test
    void bracketsBalanceAtAnyDepth() {
        var matcher = constraint.start();
        for (int i = 0; i < DEPTH; i++) {
            take(matcher, i % 2 == 0 ? "[" : "{");
            if (i % 2 == 1) {
                take(matcher, "\"");
                take(matcher, "a");
                take(matcher, "\":");
            }
        }
        take(matcher, "0");
        for (int i = DEPTH - 1; i >= 0; i--) {
            assertThat(matcher.accepting()).isFalse();
            matcher.mask(mask);
            assertThat(mask.contains(token(i % 2 == 0 ? "}" : "]")))
                    .as("the other bracket")
                    .isFalse();
            take(matcher, i % 2 == 0 ? "]" : "}");
        }
        assertThat(matcher.accepting()).isTrue();
        assertThat(matcher.accept(token("]"))).isFalse();
    }

    @Test
    void blanksNeverGoOnForEver() {
        for (var start :
                new String[] {"", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[", "[1", "[1,", "[1]"}) {
            for (var blank : new String[] {" ", "\n", "\t", "\r\n", "\n\n", "    "}) {
                var matcher = constraint.start();
                for (int token : ModelTokens.encode(start)) {
                    assertThat(matcher.accept(token)).isTrue();
                }
                int count = 0;
                while (count < BLANKS_MAX && matcher.accept(token(blank))) {
                    count++;
                }
                assertThat(count).as("blanks after " + start).isLessThan(BLANKS_MAX);
            }
        }
    }

    private void take(Matcher matcher, String text) {
        int token = token(text);
        matcher.mask(mask);
        assertThat(mask.contains(token)).as(text).isTrue();
        assertThat(matcher.accept(token)).as(text).isTrue();
    }

    private static int token(String text) {
        var tokens = ModelTokens.encode(text);
        assertThat(tokens).hasSize(1);
        return tokens[0];
    }
}
