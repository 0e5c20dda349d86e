package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BootstrapKeysTest {
    private static final String KEY = "cp-0123456789012345678901234567890123456789012";

    @Test
    void readsTenantKeyAndScopes() {
        // When
        var lines = BootstrapKeys.parse(List.of(
                "# keys of this machine",
                "",
                "local " + KEY + " reasoning:summary,reasoning:raw  # both",
                "plain\t" + KEY + "x"));

        // Then
        assertThat(lines)
                .containsExactly(
                        new BootstrapKeys.Line(
                                3, "local", new ApiKey(KEY), Set.of(Scope.REASONING_SUMMARY, Scope.REASONING_RAW)),
                        new BootstrapKeys.Line(4, "plain", new ApiKey(KEY + "x"), Set.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alone",
                "tenant short-key",
                "tenant " + KEY + " reasoning:everything",
                "tenant " + KEY + " reasoning:raw more",
                "ten/ant " + KEY
            })
    void namesTheLineOfAMistakeButNotTheKey(String line) {
        assertThatThrownBy(() -> BootstrapKeys.parse(List.of("# first", line)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("line 2")
                .hasMessageNotContainingAny(KEY, "short-key");
    }
}
