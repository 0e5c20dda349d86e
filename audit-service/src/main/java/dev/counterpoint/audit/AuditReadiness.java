package dev.counterpoint.audit;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.log.LogPublisher;
import dev.counterpoint.audit.records.ErasureLog;
import dev.counterpoint.audit.records.LostErasures;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.servicekit.BusFault;
import dev.counterpoint.servicekit.Misconfiguration;
import dev.counterpoint.servicekit.MisconfigurationSource;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready when the topics exist, every erasure is known, and the database continues the published audit log. The
/// framework checks the database. Without its keys the service does not start.
@Startup
@Readiness
@ApplicationScoped
public class AuditReadiness implements HealthCheck, MisconfigurationSource {
    private final KeyRing keys;
    private final Admin admin;
    private final ErasureLog erasures;
    private final LostErasures lost;
    private final LogPublisher log;
    private final BusFault bus;

    AuditReadiness(
            AuditConfig config, KeyRing keys, Admin admin, ErasureLog erasures, LostErasures lost, LogPublisher log) {
        this.log = log;
        bus = new BusFault(config.bootstrapServers());
        this.erasures = erasures;
        this.lost = lost;
        this.keys = keys;
        this.admin = admin;
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("bus")
                .withData("reads as", keys.self().wireName());
        try {
            boolean there = new Topics(admin).partitions(Topic.AUDIT) > 0;
            bus.passed();
            lost.unconfirmed().ifPresent(since -> answer.withData("erasures lost since", since.toString()));
            log.fault().ifPresent(fault -> answer.withData("audit log " + fault.kind(), fault.published()));
            return answer.withData("knows erasures", erasures.current())
                    .status(erasures.current() && log.sound() && there)
                    .build();
        } catch (KafkaException e) {
            bus.failed(e);
            return answer.down().build();
        }
    }

    @Override
    public List<Misconfiguration> misconfigurations() {
        return bus.misconfigurations();
    }
}
