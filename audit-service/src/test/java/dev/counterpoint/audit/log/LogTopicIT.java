package dev.counterpoint.audit.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.ArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

/// The topic `audit-log` also holds orders to gateways.
@QuarkusTest
@TestProfile(PublishedLogIT.OwnLog.class)
@WithTestResource(AuditParts.class)
class LogTopicIT {
    @Inject
    KafkaClients clients;

    @Inject
    Admin admin;

    @Inject
    AuditConfig config;

    @Inject
    Sequencer sequencer;

    @Test
    void ordersToGatewaysAreNoCheckpointsAndHideNone() {
        // Given
        var staff = StaffClient.everything();
        staff.search("{}");
        sequencer.publish();
        var before = records();
        // When more of them are appended than a start looks at, with the bytes of a checkpoint
        try (var bus = TestBus.ofTest()) {
            for (int i = 0; i < 300; i++) {
                bus.append(Topic.AUDIT_LOG, Erase.KEY, before.getLast().encode());
            }
        }
        // Then
        assertThat(records()).hasSameSizeAs(before);
        var started = topic();
        assertThat(started.last()).isPresent();
        started.close();
        assertThat(staff.search("{}").status()).isEqualTo(200);
    }

    private ArrayList<PublishedLeaves> records() {
        var records = new ArrayList<PublishedLeaves>();
        var topic = topic();
        topic.all(records::add);
        topic.close();
        return records;
    }

    private LogTopic topic() {
        return new LogTopic(clients, admin, new LogSigner(config));
    }
}
