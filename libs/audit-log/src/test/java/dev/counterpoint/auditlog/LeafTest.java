package dev.counterpoint.auditlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeafTest {
    private static final String LEAF = "{\"c\":\"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\",\"k\":\"event\","
            + "\"n\":2,\"p\":0,\"t\":\"tenant_1\",\"ts\":1764500000000,\"v\":1}";

    @Test
    void readsWhatItWrites() {
        var commitment = Commitment.to("abc".getBytes(UTF_8));
        var leaf = new Leaf(commitment, "event", "tenant_1", new Leaf.Count(1, 0L), 1_764_500_000_000L);

        assertThat(new String(leaf.encode(), UTF_8)).isEqualTo(LEAF);
        var read = Leaf.read(leaf.encode()).orElseThrow();
        assertThat(read.commitment()).isEqualTo(commitment);
        assertThat(read.before()).isEqualTo(new Leaf.Count(1, 0L));
        assertThat(read.tenant()).isEqualTo("tenant_1");
        assertThat(Leaf.read(new Leaf(commitment, "event", null, Leaf.Count.NONE, 0).encode()))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\"b", "a\\b", "a\nb", "caf\u00e9"})
    void namesNoTenantByATextThatNeedsEscapes(String text) {
        assertThat(Leaf.tenant(text)).isNull();
        assertThat(Leaf.tenant("a".repeat(101))).isNull();
        assertThat(Leaf.tenant("tenant_1")).isEqualTo("tenant_1");
    }

    static Stream<String> otherForms() {
        return Stream.of(
                LEAF + "\n",
                LEAF.replace("\"n\":2,", ""),
                LEAF.replace("\"n\":2", "\"n\":02"),
                LEAF.replace("\"v\":1", "\"v\":1,\"w\":1"),
                LEAF.replace("tenant_1", "tenant\\u005f1"),
                LEAF.replace("Fa0=", "Fa1="));
    }

    @ParameterizedTest
    @MethodSource("otherForms")
    void readsNoOtherForm(String leaf) {
        assertThat(Leaf.read(leaf.getBytes(UTF_8))).isEmpty();
    }
}
