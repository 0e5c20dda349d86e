package dev.counterpoint.summarizer.follow;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready once this replica shares in the responses and the bus takes its records.
@Readiness
@ApplicationScoped
public class SummarizerReadiness implements HealthCheck {
    private final Summarizer summarizer;

    @Inject
    SummarizerReadiness(Summarizer summarizer) {
        this.summarizer = summarizer;
    }

    @Override
    public HealthCheckResponse call() {
        boolean follows = summarizer.follows();
        boolean answers = summarizer.busAnswers();
        return HealthCheckResponse.named("bus")
                .withData("follows responses", follows)
                .withData("bus answers", answers)
                .status(follows && answers)
                .build();
    }
}
