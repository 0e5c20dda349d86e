package dev.counterpoint.worker.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StopSequencesTest {
    @Test
    void withoutStopSequencesEverythingPassesAtOnce() {
        var stops = new StopSequences(List.of());

        assertThat(stops.accept("hello")).isEqualTo("hello");
        assertThat(stops.finish()).isEmpty();
        assertThat(stops.found()).isFalse();
    }

    @Test
    void theTextEndsBeforeTheStopSequence() {
        var stops = new StopSequences(List.of("END"));

        assertThat(stops.accept("one END two")).isEqualTo("one ");
        assertThat(stops.found()).isTrue();
        assertThat(stops.finish()).as("nothing after it counts").isEmpty();
    }

    @Test
    void whatMayBecomeAStopSequenceIsHeldBackUntilItIsDecided() {
        var stops = new StopSequences(List.of("END"));

        assertThat(stops.accept("oneE")).isEqualTo("one");
        assertThat(stops.accept("N")).isEmpty();
        assertThat(stops.accept("T")).isEqualTo("ENT");
        assertThat(stops.found()).isFalse();
    }

    @Test
    void aStopSequenceIsFoundAcrossPieces() {
        var stops = new StopSequences(List.of("END"));

        assertThat(stops.accept("oneE")).isEqualTo("one");
        assertThat(stops.accept("N")).isEmpty();
        assertThat(stops.accept("D two")).isEmpty();
        assertThat(stops.found()).isTrue();
    }

    @Test
    void whatWasHeldBackComesOutWhenTheTextEnds() {
        // Given
        var stops = new StopSequences(List.of("END"));
        stops.accept("oneEN");
        // Then
        assertThat(stops.finish()).isEqualTo("EN");
        assertThat(stops.finish()).isEmpty();
    }

    @Test
    void theFirstInTheTextWinsNotTheFirstInTheList() {
        var stops = new StopSequences(List.of("two", "one"));

        assertThat(stops.accept("zero one two")).isEqualTo("zero ");
    }

    @Test
    void aStopSequenceThatOverlapsItsOwnBeginningIsFound() {
        var stops = new StopSequences(List.of("aab"));

        assertThat(stops.accept("a")).isEmpty();
        assertThat(stops.accept("a")).isEmpty();
        assertThat(stops.accept("a")).isEqualTo("a");
        assertThat(stops.accept("b")).isEmpty();
        assertThat(stops.found()).isTrue();
    }

    @Test
    void anEmptyStopSequenceStopsNothing() {
        var stops = new StopSequences(List.of(""));

        assertThat(stops.accept("hello")).isEqualTo("hello");
        assertThat(stops.found()).isFalse();
    }

    @Test
    void howTheTextIsCutMakesNoDifference() {
        // Given
        var random = new Random(7);
        var wanted = List.of("aba", "bb", "caa");
        for (int round = 0; round < 2_000; round++) {
            var text = random.ints(12, 'a', 'd')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            // When
            var said = inPieces(text, wanted, random);
            // Then
            int end = wanted.stream()
                    .mapToInt(text::indexOf)
                    .filter(at -> at >= 0)
                    .min()
                    .orElse(text.length());
            assertThat(said).as(text).isEqualTo(text.substring(0, end));
        }
    }

    private static String inPieces(String text, List<String> wanted, Random random) {
        var stops = new StopSequences(wanted);
        var said = new StringBuilder();
        for (int at = 0; at < text.length() && !stops.found(); ) {
            int next = Math.min(text.length(), at + 1 + random.nextInt(4));
            said.append(stops.accept(text.substring(at, next)));
            at = next;
        }
        return said.append(stops.finish()).toString();
    }
}
