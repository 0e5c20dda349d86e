package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.testkit.TestConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelAliasesTest {
    private static final String SETTING = "gpt-*=small,gpt-6*=large,gpt-6.2-sol=medium,house=large,served=small";

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "gpt-5.5,small",
        "gpt-6.2,large",
        "gpt-6.2-sol,medium",
        "gpt-,small",
        "house,large",
        "houses,houses",
        "served,served",
        "gpt-served,gpt-served",
        "gpt-away,gpt-away",
        "unknown,unknown"
    })
    void aServedNameComesFirstThenAWholeNameThenTheLongestBeginning(String name, String model) {
        assertThat(aliases(SETTING).resolve(name)).isEqualTo(model);
    }

    @Test
    void theRequestNamesTheModelThatIsMeant() {
        assertThat(read("{\"model\":\"gpt-5.5\",\"input\":\"a\"}")).isEqualTo("{\"model\":\"small\",\"input\":\"a\"}");
        for (var other : List.of("{\"input\":\"a\"}", "{\"model\":5}", "[\"gpt-5.5\"]")) {
            assertThat(read(other)).isEqualTo(other);
        }
    }

    @Test
    void wholeNamesAreListed() {
        assertThat(aliases(SETTING).names()).containsExactly("gpt-6.2-sol", "house", "served");
        assertThat(aliases("").names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-*", "=m", "a=", "a=b=c", "a*b=m", "a**=m", "a=m*"})
    void aSettingThatIsNotWellFormedStopsTheStart(String setting) {
        assertThatThrownBy(() -> aliases(setting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gateway.model-aliases");
    }

    private static String read(String body) {
        return aliases(SETTING).read(body.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static ModelAliases aliases(String setting) {
        return new ModelAliases(
                new SomeFleet(), TestConfig.of(GatewayConfig.class, Map.of("gateway.model-aliases", setting)));
    }

    private static final class SomeFleet implements Fleet {
        @Override
        public List<Heartbeat.Model> models() {
            return List.of();
        }

        @Override
        public boolean mayExist(String name) {
            return Set.of("served", "gpt-served", "gpt-away").contains(name);
        }

        @Override
        public Duration lag(ServiceRole role) {
            return Duration.ZERO;
        }

        @Override
        public Optional<Set<String>> livingGateways() {
            return Optional.empty();
        }
    }
}
