package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.Signatures;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.servicekit.PollLoop;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the reports of lost workers into [Quarantine]. Every gateway reads all that there are, as far back as the
/// topic goes: there are few.
@Startup
@ApplicationScoped
class EvidenceLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EvidenceLoop.class);

    private final Quarantine quarantine;
    private final Signatures signatures;
    private final PollLoop loop;
    private final InstantSource clock = InstantSource.system();

    EvidenceLoop(KafkaClients clients, Quarantine quarantine, KeyRing keys) {
        this.quarantine = quarantine;
        signatures = keys.signatures();
        loop = PollLoop.fromBeginning(clients::tailReader, Topic.SUSPECTS, this::takeReport);
    }

    @PostConstruct
    void start() {
        loop.start();
    }

    /// A report that no gateway signed says nothing.
    void takeReport(ConsumerRecord<String, byte[]> record) {
        try {
            var signed = KafkaClients.body(record);
            var report = SuspectReport.decode(signatures.verified(SignedRecord.SUSPECT_REPORT, Topic.SUSPECTS, signed));
            quarantine.take(report, clock.millis());
        } catch (MalformedMessageException | SealException e) {
            LOG.warn("report of a lost worker cannot be read offset={}", record.offset());
        }
    }

    @PreDestroy
    void close() {
        loop.close();
    }
}
