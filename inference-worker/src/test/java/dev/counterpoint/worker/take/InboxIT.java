package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Workers as a consumer group of a real broker.
@Timeout(120)
class InboxIT {
    private static final String QUESTION = "Count from 1 to 40.";

    @TempDir
    Path keysDir;

    private TestWorkers workers;
    private TestGateway gateway;

    @BeforeEach
    void start() throws Exception {
        workers = new TestWorkers(keysDir, 1);
        gateway = workers.gateway;
    }

    @AfterEach
    void stop() throws Exception {
        workers.stop();
    }

    @Test
    void answersTicketsThatCameTogetherWithTheirFrameZero() throws Exception {
        // Given
        worker(8, 8, 1);
        var inbox = inboxes(1).getFirst();
        // When 16 responses are accepted at once, on both sides of their tickets
        var tickets = new ArrayList<JobTicket>();
        for (int number = 0; number < 16; number++) {
            var together = gateway.together(QUESTION);
            int partition = inbox.get(number % inbox.size()).partition();
            if (number % 2 == 0) {
                tickets.add(gateway.accept(together));
                gateway.send(together, partition);
            } else {
                gateway.send(together, partition);
                tickets.add(gateway.accept(together));
            }
        }
        // Then
        for (var ticket : tickets) {
            assertThat(gateway.read(ticket, frame -> frame.kind() == FrameKind.END)
                            .text())
                    .contains("40");
        }
    }

    @Test
    void partitionsAreSharedAndATicketThatWaitsGoesToTheNextOwner() throws Exception {
        // Given two workers whose only slots are taken, and a ticket that waits in each partition
        var first = worker(4, 1, 20);
        worker(4, 1, 20);
        var inboxes = inboxes(2);
        assertThat(inboxes).allMatch(inbox -> inbox.size() == 2);
        assertThat(inboxes.stream().flatMap(List::stream).map(InboxPartition::partition))
                .containsExactlyInAnyOrder(0, 1, 2, 3);
        var busy = new ArrayList<JobTicket>();
        for (var inbox : inboxes) {
            var together = gateway.together(QUESTION);
            busy.add(gateway.accept(together));
            gateway.send(together, inbox.getFirst().partition());
            gateway.read(busy.getLast(), frame -> frame.kind() == FrameKind.DELTA);
        }
        var waiting = new ArrayList<JobTicket>();
        for (int partition = 0; partition < 4; partition++) {
            var together = gateway.together(QUESTION);
            waiting.add(gateway.accept(together));
            long offset = gateway.send(together, partition);
            int at = partition;
            assertThat(inboxes(2).stream().flatMap(List::stream))
                    .as("not taken")
                    .anyMatch(inbox -> inbox.partition() == at && inbox.taken() <= offset);
        }
        // When one of them stops
        first.stop();
        workers.forget(first);
        // Then the other gets its partitions, and answers all that waited
        awaitTrue(() -> inboxes(1).getFirst().size() == 4);
        for (var ticket : waiting) {
            assertThat(gateway.read(ticket, frame -> frame.kind() == FrameKind.END)
                            .text())
                    .contains("40");
        }
    }

    @Test
    void aWorkerWithoutAPartitionIsNotReadyUntilItGetsOne() throws Exception {
        // Given
        var first = worker(1, 1, 1);
        awaitTrue(first::ready);
        var second = worker(1, 1, 1);
        awaitTrue(() -> second.ofBus().stream()
                .flatMap(source -> source.misconfigurations().stream())
                .anyMatch(each -> each.code().equals("no-inbox")));
        assertThat(second.ready()).isFalse();
        // When
        first.stop();
        workers.forget(first);
        // Then
        awaitTrue(second::ready);
        assertThat(first.ready()).isFalse();
    }

    @Test
    void aWorkerWithALargerNumberAddsPartitions() throws Exception {
        // Given
        var first = worker(1, 1, 1);
        awaitTrue(first::ready);
        // When
        var second = worker(2, 1, 1);
        // Then
        awaitTrue(second::ready);
        assertThat(first.ready()).isTrue();
    }

    private Worker worker(int workersMax, int slots, int perTokenMillis) {
        var options = workers.options(Duration.ofMillis(perTokenMillis)).withSlots(slots);
        var settings = Map.of("worker.workers-max", Integer.toString(workersMax));
        return workers.start(new SimulatedEngine(options), settings, () -> {});
    }

    /// The inboxes of the last heartbeats, once so many workers have one and the partitions are dealt out.
    private List<List<InboxPartition>> inboxes(int count) {
        var last = new HashMap<String, List<InboxPartition>>();
        var partition = new TopicPartition(Topic.MODELS, 0);
        try (var consumer = workers.clients.tailReader()) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (true) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    if (record.value() == null) {
                        last.remove(record.key());
                        continue;
                    }
                    var beat = Heartbeat.decode(record.value());
                    if (beat.model() != null && beat.model().name().equals(workers.model)) {
                        last.put(record.key(), beat.inbox());
                    }
                }
                boolean dealt = last.size() == count
                        && last.values().stream().noneMatch(List::isEmpty)
                        && balanced(last.values().stream().mapToInt(List::size));
                if (dealt) {
                    return List.copyOf(last.values());
                }
            }
        }
    }

    private static boolean balanced(IntStream sizes) {
        var all = sizes.summaryStatistics();
        return all.getMax() - all.getMin() <= 1;
    }

    private static void awaitTrue(BooleanSupplier comes) throws InterruptedException {
        while (!comes.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
