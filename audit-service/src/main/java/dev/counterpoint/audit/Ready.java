package dev.counterpoint.audit;

import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.KeyRing;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready when this service holds its keys and its topics are there, until it is told to stop; the framework asks the
/// database. Without its keys it does not start.
@Startup
@Readiness
@ApplicationScoped
public class Ready implements HealthCheck {
    private static final int BEFORE_ANYTHING_STOPS = 1;

    private final KeyRing keys;
    private final Admin admin;
    private volatile boolean stopping;

    @Inject
    Ready(KeyRing keys, Admin admin) {
        this.keys = keys;
        this.admin = admin;
    }

    void stop(@Observes @Priority(BEFORE_ANYTHING_STOPS) ShutdownEvent stop) {
        stopping = true;
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("bus")
                .withData("reads as", keys.self().wireName());
        try {
            return answer.status(!stopping && new Topics(admin).partitions(Topic.AUDIT) > 0)
                    .build();
        } catch (KafkaException e) {
            return answer.down().build();
        }
    }
}
