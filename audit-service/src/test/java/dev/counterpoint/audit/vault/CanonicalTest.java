package dev.counterpoint.audit.vault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalTest {
    @Test
    void noTwoListsOfValuesGiveTheSameBytes() {
        // Given values that a separator or a plain join would confuse
        var all = List.of(
                new Canonical("p").text("ab").text("c"),
                new Canonical("p").text("a").text("bc"),
                new Canonical("p").text("abc"),
                new Canonical("p").text("abc").text(""),
                new Canonical("p").text("abc").text(null),
                new Canonical("p").bytes("abc".getBytes(StandardCharsets.UTF_8)),
                new Canonical("pabc"),
                new Canonical("p").number(1),
                new Canonical("p").flag(false),
                new Canonical("p").time(Instant.EPOCH),
                new Canonical("p").time(Instant.EPOCH.plusNanos(1)),
                new Canonical("p").number(0).number(0));
        // Then
        assertThat(all.stream().map(Canonical::toBytes).map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)))
                .doesNotHaveDuplicates();
    }
}
