package dev.counterpoint.audit.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalEncoderTest {
    @Test
    void noTwoListsOfValuesGiveTheSameBytes() {
        // Given values that a separator or a plain join would confuse
        var all = List.of(
                new CanonicalEncoder("p").text("ab").text("c"),
                new CanonicalEncoder("p").text("a").text("bc"),
                new CanonicalEncoder("p").text("abc"),
                new CanonicalEncoder("p").text("abc").text(""),
                new CanonicalEncoder("p").text("abc").text(null),
                new CanonicalEncoder("p").bytes("abc".getBytes(StandardCharsets.UTF_8)),
                new CanonicalEncoder("pabc"),
                new CanonicalEncoder("p").number(1),
                new CanonicalEncoder("p").flag(false),
                new CanonicalEncoder("p").time(Instant.EPOCH),
                new CanonicalEncoder("p").time(Instant.EPOCH.plusNanos(1)),
                new CanonicalEncoder("p").number(0).number(0));
        // Then
        assertThat(all.stream()
                        .map(CanonicalEncoder::toBytes)
                        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)))
                .doesNotHaveDuplicates();
    }
}
