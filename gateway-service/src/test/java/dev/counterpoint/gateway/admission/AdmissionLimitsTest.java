package dev.counterpoint.gateway.admission;

import static dev.counterpoint.bus.kafka.Topic.Band.HIGH;
import static dev.counterpoint.bus.kafka.Topic.Band.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who is not let in, and what it is told.
class AdmissionLimitsTest extends AdmissionOfOneGateway {
    @Test
    void tooManyOpenAre503AndOfOneTenant429() {
        // Given
        admission = admission(Map.of("gateway.admission.open-max", "3", "gateway.admission.open-per-tenant-max", "2"));
        beats(WORKER, 8, 8);
        enter("anna", NORMAL, 2);
        // Then
        assertThat(refusal("anna")).satisfies(AdmissionLimitsTest::isRateLimit);

        // When
        enter("bert", NORMAL, 1);
        // Then
        assertThat(refusal("carl")).satisfies(AdmissionLimitsTest::isOverload);
        assertThat(counted("tenant_open")).isEqualTo(1);
        assertThat(counted("open")).isEqualTo(1);
    }

    @Test
    void tooManyWaitingAre503AndOfOneTenant429() {
        // Given
        admission = admission(
                Map.of("gateway.admission.waiting-max", "3", "gateway.admission.waiting-per-tenant-max", "2"));
        enter("anna", NORMAL, 2);
        // Then
        assertThat(refusal("anna")).satisfies(AdmissionLimitsTest::isRateLimit);

        // When
        enter("bert", HIGH, 1);
        // Then
        assertThat(refusal("carl")).satisfies(AdmissionLimitsTest::isOverload);
        assertThat(counted("tenant_waiting")).isEqualTo(1);
        assertThat(counted("waiting")).isEqualTo(1);

        // When
        beats(WORKER, 8, 8);
        // Then
        assertThat(refusal("anna")).as("nobody waits any more").isNull();
    }

    @Test
    void aPlaceThatIsGivenBackIsFreeAndOneThatWasEnteredStays() {
        // Given
        admission = admission(Map.of("gateway.admission.open-max", "1"));
        var first = ResponseId.create(1, 1);
        admission.reserve(first, "anna");
        // When
        admission.giveBack(first);
        admission.giveBack(first);
        var job = enter("anna", NORMAL, 1).getFirst();
        admission.giveBack(job.response());
        // Then
        assertThat(refusal("bert")).isNotNull();
        assertThat(admission.keeps(job.response())).isTrue();
    }

    private static void isRateLimit(@Nullable Problem problem) {
        assertThat(problem).isNotNull();
        assertThat(problem.status()).isEqualTo(429);
        assertThat(problem.code()).isEqualTo("rate_limit_exceeded");
        assertThat(problem.headers()).containsKey("Retry-After");
    }

    private static void isOverload(@Nullable Problem problem) {
        assertThat(problem).isNotNull();
        assertThat(problem.status()).isEqualTo(503);
        assertThat(problem.headers()).containsKey("Retry-After");
    }

    private double counted(String reason) {
        return registry.get("counterpoint.gateway.refused")
                .tag("reason", reason)
                .counter()
                .count();
    }

    /// What the next request of a tenant is told; null when it is let in.
    private @Nullable Problem refusal(String tenant) {
        var thrown =
                catchThrowableOfType(ProblemException.class, () -> admission.reserve(ResponseId.create(1, 1), tenant));
        return thrown == null ? null : (Problem) thrown.problem();
    }
}
