package dev.counterpoint.bus.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @Test
    void readsTheExampleOfTheSpecification() {
        assertThat(TraceParent.parse("00-" + TRACE + "-" + SPAN + "-01")).isEqualTo(new TraceParent(TRACE, SPAN, true));
        assertThat(TraceParent.parse("00-" + TRACE + "-" + SPAN + "-02"))
                .isEqualTo(new TraceParent(TRACE, SPAN, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01",
                "00-4bf92f3577b34da6a3ce929d0e0e47\n6-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g"
            })
    void takesNothingThatIsNotExactlyOfTheForm(String header) {
        assertThat(TraceParent.parse(header)).isNull();
    }

    @Test
    void passesARecordOnAndLeavesOutWhatIsNotSampled() {
        // Given
        var sampled = new RecordHeaders();
        var unsampled = new RecordHeaders();
        // When
        new TraceParent(TRACE, SPAN, true).addTo(sampled);
        new TraceParent(TRACE, SPAN, false).addTo(unsampled);
        // Then
        assertThat(TraceParent.of(sampled)).isEqualTo(new TraceParent(TRACE, SPAN, true));
        assertThat(TraceParent.of(unsampled)).isNull();
        assertThat(TraceParent.of(new RecordHeaders())).isNull();
    }

    @Test
    void noBytesInTheHeaderDoHarm() {
        var random = new Random(22);
        for (int round = 0; round < 20_000; round++) {
            var value = ("00-" + TRACE + "-" + SPAN + "-01").getBytes(StandardCharsets.US_ASCII);
            for (int change = random.nextInt(3); change >= 0; change--) {
                value[random.nextInt(value.length)] = (byte) random.nextInt();
            }
            var parent = TraceParent.of(new RecordHeaders().add(TraceParent.HEADER, value));
            assertThat(parent == null || parent.toString().length() == 55).isTrue();
        }
        assertThat(TraceParent.of(new RecordHeaders().add(TraceParent.HEADER, null)))
                .isNull();
        assertThat(TraceParent.of(new RecordHeaders().add(TraceParent.HEADER, new byte[1 << 20])))
                .isNull();
    }
}
