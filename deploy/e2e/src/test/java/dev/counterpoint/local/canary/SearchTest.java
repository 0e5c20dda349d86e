package dev.counterpoint.local.canary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The search finds a secret in every form, wherever it begins, and nothing in noise.
class SearchTest {
    private static final Canary CANARY = Canary.of("lighthouse");
    private final Search search = new Search(List.of(CANARY, Canary.of("harbour")));

    @Test
    void theCanaryTokenisesIntoItsTokensBesideAnyNeighbours() {
        for (var text : List.of("is: %s\n\nNext", "(%s) ", "“%s”", "x %s.", "%s")) {
            int[] tokens = HarmonyTokenizer.shared().encode(text.formatted(CANARY.phrase()));

            // The first word joins what stands before it, the others keep their blank.
            assertThat(Arrays.stream(tokens).boxed())
                    .containsSequence(CANARY.tokens().subList(1, Canary.WORDS));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void findsEveryFormBehindAnyNumberOfBytesBetweenNoise(Form form) {
        var random = new Random(form.ordinal());
        for (int before = 0; before < 7; before++) {
            byte[] text = (("x".repeat(before)) + CANARY.phrase() + "yy").getBytes(UTF_8);
            byte[] leak = form.name().startsWith("BASE64")
                    ? java.util.Base64.getEncoder().encode(text)
                    : form.leak(CANARY);

            try (var source = search.source(SearchedPlace.LOG, form + " " + before)) {
                noise(source, random, 1000 + before);
                source.write(leak, 0, leak.length);
                noise(source, random, 1000);
            }
        }

        assertThat(search.findings()).hasSizeGreaterThanOrEqualTo(7);
        assertThat(search.findings().stream().filter(finding -> finding.form() == form))
                .hasSize(7)
                .allMatch(finding -> finding.canary().equals(CANARY));
    }

    @Test
    void findsTokensThatCameOneByOne() {
        try (var source = search.source(SearchedPlace.KAFKA_RECORD, "frames-0")) {
            for (int token : CANARY.tokens()) {
                byte[] frame = {0x12, 3, (byte) (token | 0x80), (byte) (token >> 7 | 0x80), (byte) (token >> 14)};
                source.write(frame, 0, frame.length);
                source.cut();
                noise(source, new Random(token), 100);
            }
        }

        assertThat(search.findings())
                .containsExactly(
                        new Search.Finding(CANARY, SearchedPlace.KAFKA_RECORD, "frames-0", Form.TOKENS_VARINT));
    }

    @Test
    void findsTwoWordsTogetherAndFourApart() {
        search.bytes(SearchedPlace.LOG, "one", ("about " + CANARY.words().get(2) + " only").getBytes(UTF_8));
        search.bytes(SearchedPlace.LOG, "two", words(" ", 3, 5));
        search.bytes(SearchedPlace.LOG, "three apart", words("\n…\n", 0, 3));
        search.bytes(SearchedPlace.LOG, "four apart", words("\n…\n", 2, 6));

        assertThat(search.findings()).extracting(Search.Finding::source).containsExactly("two", "four apart");
    }

    private static byte[] words(String between, int from, int to) {
        return String.join(between, CANARY.words().subList(from, to)).getBytes(UTF_8);
    }

    @Test
    void findsNothingInNoise() {
        try (var source = search.source(SearchedPlace.OTHER_FILE, "noise")) {
            noise(source, new Random(5), 50_000_000);
        }

        assertThat(search.findings()).isEmpty();
        assertThat(search.bytesSearched(SearchedPlace.OTHER_FILE)).isEqualTo(50_000_000);
    }

    private static void noise(Search.Source source, Random random, int length) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        source.write(noise, 0, length);
    }
}
