package dev.counterpoint.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.admission.TestAdmission;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Operators write these names into their deployments: a change here is a change for them.
class AdmissionConfigTest {
    @Test
    void everyDefaultIsAsPromised() {
        // When
        var config = TestAdmission.config(Map.of());
        // Then
        assertThat(Arrays.stream(AdmissionConfig.class.getDeclaredMethods())
                        .collect(Collectors.toMap(Method::getName, method -> value(method, config))))
                .isEqualTo(Map.of(
                        "openMax", 4_096,
                        "openPerTenantMax", 2_048,
                        "waitingMax", 2_048,
                        "waitingPerTenantMax", 1_024,
                        "jobsPerFreeSlot", 2,
                        "slotsPerReadyJob", 8,
                        "highShare", 12,
                        "normalShare", 3,
                        "lowShare", 1));
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        // When
        var config = TestAdmission.config(Map.of(
                "gateway.admission.open-max", "7",
                "gateway.admission.waiting-per-tenant-max", "5",
                "gateway.admission.slots-per-ready-job", "3"));
        // Then
        assertThat(config.openMax()).isEqualTo(7);
        assertThat(config.waitingPerTenantMax()).isEqualTo(5);
        assertThat(config.slotsPerReadyJob()).isEqualTo(3);
    }

    private static Object value(Method method, AdmissionConfig config) {
        try {
            return method.invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
