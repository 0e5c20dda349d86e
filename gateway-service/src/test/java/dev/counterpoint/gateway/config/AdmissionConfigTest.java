package dev.counterpoint.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.testkit.TestConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Operators write these names into their deployments: a change here is a change for them.
class AdmissionConfigTest {
    @Test
    void everyDefaultIsAsPromised() {
        assertThat(TestConfig.defaults(AdmissionConfig.class))
                .isEqualTo(Map.of(
                        "openMax", 4_096,
                        "openPerTenantMax", 2_048,
                        "waitingMax", 2_048,
                        "waitingPerTenantMax", 1_024,
                        "slotsPerKeptSlot", 8,
                        "highShare", 12,
                        "normalShare", 3,
                        "lowShare", 1));
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        // When
        var config = TestConfig.of(
                AdmissionConfig.class,
                Map.of(
                        "gateway.admission.open-max", "7",
                        "gateway.admission.waiting-per-tenant-max", "5",
                        "gateway.admission.slots-per-kept-slot", "3"));
        // Then
        assertThat(config.openMax()).isEqualTo(7);
        assertThat(config.waitingPerTenantMax()).isEqualTo(5);
        assertThat(config.slotsPerKeptSlot()).isEqualTo(3);
    }
}
