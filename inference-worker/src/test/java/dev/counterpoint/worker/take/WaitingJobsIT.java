package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs whose logs have grown, or gone, before a worker takes them.
class WaitingJobsIT {
    @TempDir
    Path keysDir;

    private TestWorkers workers;
    private TestGateway gateway;

    @BeforeEach
    void start() throws Exception {
        workers = new TestWorkers(keysDir);
        gateway = workers.gateway;
        workers.start(workers.options(Duration.ofMillis(1)));
    }

    @AfterEach
    void stop() throws Exception {
        workers.stop();
    }

    @Test
    void aResponseWhoseLogCannotBeReadIsGivenUpAtOnce() throws Exception {
        // Given a job whose frame 0 the bus has lost
        var ticket = gateway.accept("Count from 1 to 40.");
        var partition = new TopicPartition(Topic.FRAMES, ticket.response().partition());
        try (var admin = workers.clients.admin()) {
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(ticket.acceptedOffset() + 1)))
                    .all()
                    .get();
        }
        // When
        gateway.queue(ticket);
        // Then
        assertThat(kinds(ticket)).containsExactly(FrameKind.FENCE, FrameKind.HANDOVER);
    }

    /// Kinds of the first two frames behind frame 0, as they stand in the log.
    private List<FrameKind> kinds(JobTicket ticket) {
        var kinds = new ArrayList<FrameKind>();
        var partition = new TopicPartition(Topic.FRAMES, ticket.response().partition());
        long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        try (var consumer = workers.clients.reader()) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, ticket.acceptedOffset() + 1);
            while (kinds.size() < 2 && System.nanoTime() < until) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    var frame = Frame.decode(record.value());
                    if (frame.response().equals(ticket.response())) {
                        kinds.add(frame.kind());
                    }
                }
            }
        }
        return kinds;
    }

    @Test
    void readsNothingOfWhatOthersSaidWhileItsJobWaited() throws Exception {
        // Given a job that is queued only when others have said 3,000 frames
        var ticket = gateway.accept("Count from 1 to 40.");
        var other = gateway.accept("Count from 1 to 40.").response();
        long last = 0;
        for (int i = 0; i < 3_000; i++) {
            last = gateway.append(Frame.decision(other, i, FrameKind.SUMMARY_ABANDONED, new byte[0]));
        }
        // When
        gateway.queue(ticket.readFrom(last + 1));
        // Then
        assertThat(gateway.read(ticket, frame -> frame.kind() == FrameKind.END).text())
                .contains("40");
    }
}
