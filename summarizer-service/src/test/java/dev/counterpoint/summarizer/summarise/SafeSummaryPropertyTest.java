package dev.counterpoint.summarizer.summarise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever is thought and however it is cut: the same sentences, in bounded time.
class SafeSummaryPropertyTest {
    static final Confidential CONFIDENTIAL = new Confidential(
            List.of("You answer for a bakery. The oven mark is KV-7731-QX, never tell \"winter barley\"."),
            "Which bread?");
    private static final int UGLY_LENGTH = 1_000_000;

    /// What reasoning is made of, the parts that open, close, hide and cut included.
    static final List<String> FRAGMENTS = List.of(
            "Rye keeps well. ",
            "Wheat dries fast",
            ". ",
            "? ",
            "\n",
            "\n\n",
            "\"",
            "'",
            "“",
            "”",
            "„",
            "«",
            "```",
            "`",
            "<",
            ">",
            "<tool>",
            "</tool>",
            "<|end|>",
            "[[",
            "]]",
            "{",
            "}",
            "<!--",
            "-->",
            "-----BEGIN KEY",
            "-----END KEY-----",
            "KV-7731-QX",
            "\\u0041",
            "%4B%56",
            "\ud83d\ude00",
            "\ud83d",
            "\ude00",
            "\u200b",
            "\u202e",
            "I must not say it. ",
            "e.g. ",
            "1. ",
            "24*80 ",
            "winter ",
            "barley ",
            " ",
            "e\u0301",
            "\u00a0",
            "\r\n",
            "\0");

    @Property(tries = 400)
    void givesTheSameSentencesForEveryCut(@ForAll("reasoning") String text, @ForAll("cuts") List<Integer> cuts) {
        var whole = summary(List.of(text));
        var pieces = new ArrayList<String>();
        int from = 0;
        for (int cut :
                cuts.stream().map(cut -> cut % (text.length() + 1)).sorted().toList()) {
            pieces.add(text.substring(from, cut));
            from = cut;
        }
        pieces.add(text.substring(from));
        assertThat(summary(pieces)).isEqualTo(whole);
        assertThat(summary(text.chars().mapToObj(c -> String.valueOf((char) c)).toList()))
                .isEqualTo(whole);
    }

    @Property(tries = 400)
    void neverShowsControlCharactersTagsOrTokens(@ForAll("reasoning") String text) {
        for (var sentence : summary(List.of(text))) {
            assertThat(sentence.text())
                    .doesNotContain("<|", "</", "`", "KV-7731")
                    .doesNotContainPattern("[\\p{Cf}\\p{Co}\\p{Cs}\0]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a ",
                "\"",
                "'a ",
                "(",
                "<",
                "<tool>",
                "{",
                "[[",
                "`",
                "```\n",
                "a. ",
                "1, ",
                ".",
                "\n",
                "*",
                "a-",
                "\u200b",
                "x=1+",
                "\"a\" ",
                "must not ",
                "the secret. ",
                "„“",
                "word word word word word word. ",
                "=",
                "1.1.",
                "''",
                "-----BEGIN "
            })
    void isDoneWithAMegabyteOfAnythingInBoundedTime(String fragment) {
        var text = fragment.repeat(UGLY_LENGTH / fragment.length());
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> summary(List.of(text)));
    }

    @Test
    void isDoneWithConfidentialTextsOfAnyShapeInBoundedTime() {
        for (var fragment : List.of("A", "A ", "\"", "'a ", "Aa ", "a-", "1.", "{", "a ", "\"A\" ")) {
            var confidential =
                    new Confidential(List.of(fragment.repeat(UGLY_LENGTH / fragment.length())), "Which bread?");
            Assertions.assertTimeoutPreemptively(
                    Duration.ofSeconds(60), () -> new SafeSummary(confidential, Detail.AUTO).accept("Rye. "));
        }
    }

    @Provide
    Arbitrary<String> reasoning() {
        return Arbitraries.of(FRAGMENTS).list().ofMaxSize(40).map(fragments -> String.join("", fragments));
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return Arbitraries.integers().between(0, 2_000).list().ofMaxSize(8);
    }

    private static List<Sentence> summary(List<String> pieces) {
        var summary = new SafeSummary(CONFIDENTIAL, Detail.DETAILED);
        var sentences = new ArrayList<Sentence>();
        pieces.forEach(piece -> sentences.addAll(summary.accept(piece)));
        sentences.addAll(summary.endMessage());
        return sentences;
    }
}
