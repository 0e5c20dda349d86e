package dev.counterpoint.gateway.api.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RefusalCountsTest {
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private final RefusalCounts counts = new RefusalCounts(metrics);

    @Test
    void countsReasonsOfAdmissionAndStatusesOfTheApi() {
        // Given
        metrics.counter("counterpoint.gateway.refused", "reason", "waiting").increment(3);
        metrics.counter("counterpoint.gateway.refused", "reason", "open");
        answered("/v1/responses", "429");
        answered("/v1/chat/completions", "429");
        answered("/v1/responses", "200");
        answered("/admin/tenants", "401");
        // Then
        assertThat(counts.refusals())
                .containsExactly(
                        new AdminViews.Refusal("open", "admission", 0, 0),
                        new AdminViews.Refusal("waiting", "admission", 3, 3),
                        new AdminViews.Refusal("429", "status", 2, 2));
    }

    @Test
    void forgetsAfterAnHourWhatIsNotSinceTheStart() {
        // Given
        answered("/v1/responses", "401");
        for (int minute = 0; minute < 61; minute++) {
            counts.sample();
        }
        answered("/v1/responses", "401");
        // When
        var within = counts.refusals();
        for (int minute = 0; minute < 61; minute++) {
            counts.sample();
        }
        // Then
        assertThat(within).containsExactly(new AdminViews.Refusal("401", "status", 2, 1));
        assertThat(counts.refusals()).containsExactly(new AdminViews.Refusal("401", "status", 2, 0));
    }

    private void answered(String uri, String status) {
        metrics.timer("http.server.requests", "uri", uri, "status", status).record(Duration.ofMillis(1));
    }
}
