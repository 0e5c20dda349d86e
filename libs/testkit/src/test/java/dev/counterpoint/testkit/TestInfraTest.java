package dev.counterpoint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestInfraTest {
    @ParameterizedTest
    @CsvSource({
        ",true,CONTAINERS",
        ",false,EMBEDDED",
        "auto,true,CONTAINERS",
        "auto,false,EMBEDDED",
        "embedded,true,EMBEDDED",
        "EMBEDDED,false,EMBEDDED",
        "containers,true,CONTAINERS"
    })
    void followsTheSettingAndWithoutOneTheEngine(String setting, boolean docker, TestInfra expected) {
        assertThat(TestInfra.choose(setting, () -> docker)).isEqualTo(expected);
    }

    @Test
    void failsWhenContainersAreAskedForAndNoEngineAnswers() {
        assertThatThrownBy(() -> TestInfra.choose("containers", () -> false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no Docker engine answers");
    }

    @Test
    void refusesAWordItDoesNotKnow() {
        assertThatThrownBy(() -> TestInfra.choose("docker", () -> true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("auto, embedded or containers");
    }
}
