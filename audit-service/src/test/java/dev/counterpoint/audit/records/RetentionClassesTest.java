package dev.counterpoint.audit.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.testkit.TestConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetentionClassesTest {
    private static final String CLASSES = "audit.retention-classes";

    @Test
    void theClassOfTheKeyComesBeforeTheTenantsAndThatBeforeTheUsualOne() {
        var classes = of(Map.of(
                CLASSES,
                "a=0s..1d,b=30d..60d, c=1h..1h",
                "audit.retention-default",
                "a",
                "audit.retention-tenants",
                "tenant_1=b",
                "audit.retention-keys",
                "key_1=c"));

        assertThat(classes.of("tenant_1", "key_1").orElseThrow().name()).isEqualTo("c");
        assertThat(classes.of("tenant_1", "key_2").orElseThrow().min()).isEqualTo(Duration.ofDays(30));
        assertThat(classes.of("tenant_2", "key_2").orElseThrow().max()).isEqualTo(Duration.ofDays(1));
        assertThat(classes.shortest()).contains(Duration.ofHours(1));
        assertThat(of(Map.of()).of("tenant_1", "key_1")).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "audit.retention-classes | a=2d..1d | a=0s..1d",
                "audit.retention-classes | a=0s..0s | a=0s..1d",
                "audit.retention-classes | a=1d     | a=0s..1d",
                "audit.retention-classes | a=x..1d  | a=0s..1d",
                "audit.retention-classes | =0s..1d  | a=0s..1d",
                "audit.retention-default | b        | a=0s..1d",
                "audit.retention-tenants | t=b      | a=0s..1d",
                "audit.retention-keys    | a        | a=0s..1d"
            })
    void aSettingThatMakesNoSenseIsNamed(String setting, String value, String classes) {
        var settings = setting.equals(CLASSES) ? Map.of(setting, value) : Map.of(setting, value, CLASSES, classes);

        assertThatThrownBy(() -> of(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(setting);
    }

    private static RetentionClasses of(Map<String, String> settings) {
        return new RetentionClasses(TestConfig.of(AuditConfig.class, settings), new RecordRepository());
    }
}
