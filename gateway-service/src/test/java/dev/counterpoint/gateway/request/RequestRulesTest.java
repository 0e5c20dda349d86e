package dev.counterpoint.gateway.request;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.openai.json.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRulesTest {
    @ParameterizedTest(name = "{index}")
    @ValueSource(strings = {"a\tb", "alice\n", "\u0085"})
    void aNameWithAControlCharacterIsRefused(String name) {
        assertThatThrownBy(() -> RequestRules.endUser(null, name))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("'user'");
        assertThatThrownBy(() -> RequestRules.endUser(name, null))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("'safety_identifier'");
    }

    @Test
    void aNameThatNobodyCouldSearchForIsRefused() {
        assertThatThrownBy(() -> RequestRules.endUser(null, "x".repeat(257))).isInstanceOf(WireException.class);
        assertThatCode(() -> RequestRules.endUser(null, "x".repeat(256))).doesNotThrowAnyException();
        assertThatCode(() -> RequestRules.endUser("anna", "Zo\u00eb M\u00fcller"))
                .doesNotThrowAnyException();
    }
}
