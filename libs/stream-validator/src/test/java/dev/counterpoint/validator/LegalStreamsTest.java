package dev.counterpoint.validator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LegalStreamsTest {
    private static final int STREAMS = 500;

    @Test
    void everyLegalStreamIsAcceptedInWhateverPiecesItsBytesCome() {
        var seen = new HashSet<String>();
        for (long seed = 0; seed < STREAMS; seed++) {
            // Given
            var events = RandomStream.of(seed);
            events.forEach(event -> seen.add(event.path("type").asText()));
            var bytes = new TestStream(events).bytes();

            // When
            var validator = new StreamValidator(ValidatorOptions.DEFAULT);
            var random = new Random(seed);
            for (int from = 0; from < bytes.length; ) {
                int length = Math.min(1 + random.nextInt(400), bytes.length - from);
                validator.accept(bytes, from, length);
                from += length;
                assertThat(validator.violations()).as("seed %d", seed).isEmpty();
            }

            // Then
            assertThat(validator.end()).as("seed %d", seed).isEmpty();
        }
        var never = new HashSet<>(EventTransition.types());
        never.removeAll(seen);
        assertThat(never)
                .as("each type of event was in some stream")
                .containsOnly("error", "response.mcp_call.failed", "response.mcp_list_tools.completed");
    }

    @Test
    void aStreamThatIsTakenUpAgainIsAcceptedFromEveryEventOn() {
        for (long seed = 0; seed < STREAMS / 5; seed++) {
            var events = RandomStream.of(seed);
            for (int last = 0; last < events.size(); last++) {
                assertThat(violations(
                                events.subList(last + 1, events.size()), ValidatorOptions.DEFAULT.startingAfter(last)))
                        .as("seed %d after %d", seed, last)
                        .isEmpty();
            }
        }
    }

    @Test
    void aStreamThatIsTakenUpAgainAtTheWrongPlaceIsNot() {
        var events = RandomStream.of(1);

        assertThat(violations(events.subList(2, events.size()), ValidatorOptions.DEFAULT.startingAfter(0)))
                .first()
                .asString()
                .contains("sequence_number is 2, and the first is 1");
    }

    private static List<StreamViolation> violations(List<ObjectNode> events, ValidatorOptions options) {
        return StreamValidator.validate(new TestStream(events).bytes(), options);
    }
}
