package dev.counterpoint.audit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Where gateways attest ends, a trace without its closing is no plain evidence.
@QuarkusTest
@TestProfile(UnconfirmedIT.Impatient.class)
@WithTestResource(AuditParts.class)
class UnconfirmedIT {
    /// Not the database of [dev.counterpoint.audit.log.LogIntegrityIT], whose records have no closings.
    public static final class Impatient implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("audit.frames-gone-after", "5s");
        }
    }

    private final StaffClient staff = StaffClient.everything();

    @Inject
    @Wellness
    TraceCompleteness completeness;

    @ConfigProperty(name = "audit.frames-gone-after")
    Duration patience;

    @Test
    @DisplayName("B6: a trace for a response that no gateway closed is named, and those of before are not")
    void aTraceThatNoGatewayConfirmsIsNamed() {
        try (var bus = TestBus.ofTest()) {
            // Given
            var before = Asked.of("acme", "alice");
            var first = Asked.of("acme", "alice");
            var forged = Asked.of("acme", "mallory");
            bus.append(bus.whole(before, "a thought"));
            await(before);
            bus.append(bus.closing(first, "none"));
            AuditTables.await(1, "event where id = ? and log_index >= 0", "response_closed_" + first.id());
            var due = Instant.now().plus(patience).plusMillis(100);
            while (Instant.now().isBefore(due)) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            // When
            bus.append(bus.whole(forged, "made up"));
            await(forged);
            completeness.look(Instant.now().plus(patience).plusMillis(100));
            // Then
            assertThat(AuditTables.count(
                            "event where action = 'unconfirmed' and response = ?",
                            forged.id().toString()))
                    .isOne();
            assertThat(AuditTables.count(
                            "event where action = 'unconfirmed' and response = ?",
                            before.id().toString()))
                    .isZero();
            assertThat(staff.get("/q/health/well").text()).contains("\"" + forged.id() + "\": \"unconfirmed\"");
            // When it is confirmed after all
            bus.append(bus.closing(forged, "none"));
            AuditTables.await(1, "event where id = ? and log_index >= 0", "response_closed_" + forged.id());
            completeness.look();
            // Then
            assertThat(staff.get("/q/health/well").text())
                    .doesNotContain(forged.id().toString());
        }
    }

    private static void await(Asked asked) {
        AuditTables.await(
                1,
                "trace_record where response = ? and log_index >= 0",
                asked.id().toString());
    }
}
