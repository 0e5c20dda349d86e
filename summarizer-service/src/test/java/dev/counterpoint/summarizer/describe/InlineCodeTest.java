package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InlineCodeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "The producer blocks in wg.Wait() until they end. | The producer blocks in ,() until they end.",
                "Set max_retries here. | Set , here.",
                "Call `git check-ignore` first. | Call , first.",
                "After calling stop(), fetch() returns. | After calling ,(), ,() returns."
            })
    void namesOfCodeAreNoWords(String text, String without) {
        assertThat(InlineCode.removed(text)).isEqualTo(without);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return ctx.Err() }",
                "rows = db.query(\"select 1\")",
                "name := strings.TrimSpace(input)",
                "for (var x : all) {",
                "RUN npm ci --omit=dev",
                "import tracemalloc",
                "def greet(name):"
            })
    void aLineOfCodeIsABlockOfIt(String line) {
        assertThat(InlineCode.removed(line)).isEqualTo(ThoughtCutter.CODE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f(x) = (x + 1) * 2",
                "Total = 45 * 3 = 135.",
                "So x = \\frac{1}{2}",
                "- price;",
                "We call it with {\"city\": \"Oslo\", \"days\": 3}",
                "{\"city\": \"Oslo\"}",
                "We need P(A and B), so 0.2 * 0.5.",
                "Wait, is that right (I think so)?",
                "Il prezzo (circa 20 euro) va bene."
            })
    void sentencesAndSumsStay(String text) {
        assertThat(InlineCode.removed(text)).isEqualTo(text);
    }

    @Test
    void whatCodeIsCalledCorrectsNothing() {
        // Given
        var classifier = new CueClassifier(SummaryContext.of("Why does my Go program hang?", Map.of()));
        // When
        var thoughts =
                classifier.accept("The user wants to know why it hangs. Then wg.Wait() and actually_done block. ");
        // Then
        assertThat(thoughts)
                .extracting(thought -> thought.description().activity())
                .doesNotContain(Activity.CORRECTING);
    }
}
