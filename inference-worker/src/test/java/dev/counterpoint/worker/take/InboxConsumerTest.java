package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.worker.attempt.CapacityGate;
import dev.counterpoint.worker.attempt.CapacityGate.Permit;
import dev.counterpoint.worker.draft.DraftTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InboxConsumerTest {
    private static final String TOPIC = "jobs.model";
    private static final TopicPartition FIRST = new TopicPartition(TOPIC, 0);
    private static final TopicPartition SECOND = new TopicPartition(TOPIC, 1);
    private static final int SLOTS = 2;
    private static final ProducerRecord<String, byte[]> DRAFT = DraftRequest.seal(
                    ResponseId.create(1, 1), "model", 1, DraftTasks.WRITING, TestKeys.of(ServiceRole.SUMMARIZER))
            .record(0, TestKeys.of(ServiceRole.SUMMARIZER));

    private final SimulatedEngine engine =
            new SimulatedEngine(SimulatedOptions.immediate("model").withSlots(SLOTS));
    private final CapacityGate gate = new CapacityGate(engine, () -> 1);
    private final Group group = new Group();
    private final List<String> taken = new ArrayList<>();
    private final List<Permit> permits = new ArrayList<>();
    private final List<Long> drafts = new ArrayList<>();
    private final InboxConsumer inbox = new InboxConsumer(TOPIC, () -> group, gate, new InboxConsumer.Taker() {
        @Override
        public void take(ConsumerRecord<String, byte[]> ticket, boolean isNew, Permit permit) {
            taken.add(ticket.partition() + ":" + ticket.offset() + (isNew ? " new" : " old"));
            group.order.add("taken");
            permits.add(permit);
        }

        @Override
        public void draft(ConsumerRecord<String, byte[]> request) {
            drafts.add(request.offset());
            group.order.add("draft");
        }
    });

    InboxConsumerTest() {
        group.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
        group.updateEndOffsets(Map.of(FIRST, 0L, SECOND, 5L));
        inbox.join(group);
    }

    @Test
    void ticketsAreOldWhereTheirPartitionEndedBehindThemWhenItWasGiven() throws Exception {
        // Given
        group.rebalance(List.of(FIRST, SECOND));
        add(FIRST, 0);
        add(SECOND, 4);
        inbox.round(group);
        freeAll();
        // When
        add(SECOND, 5);
        inbox.round(group);
        // Then
        assertThat(taken).containsExactlyInAnyOrder("0:0 new", "1:4 old", "1:5 new");
    }

    @Test
    void untilTheEndOfAPartitionIsKnownItsTicketsAreOld() throws Exception {
        // Given
        group.silent = true;
        group.rebalance(List.of(FIRST));
        add(FIRST, 0);
        inbox.round(group);
        // When
        group.silent = false;
        group.updateEndOffsets(Map.of(FIRST, 1L));
        add(FIRST, 1);
        inbox.round(group);
        // Then
        assertThat(taken).containsExactly("0:0 old", "0:1 new");
    }

    @Test
    void aTicketIsTakenOnlyWithAPermitAndThePartitionsRestMeanwhile() throws Exception {
        // Given
        group.rebalance(List.of(FIRST));
        add(FIRST, 0, 1, 2);
        // When
        inbox.round(group);
        inbox.round(group);
        // Then
        assertThat(taken).hasSize(SLOTS);
        assertThat(group.paused()).containsExactly(FIRST);
        assertThat(inbox.partitions()).containsExactly(new InboxPartition(0, 2));
        assertThat(committed(FIRST)).isEqualTo(2);

        // When
        permits.getFirst().close();
        inbox.round(group);
        inbox.round(group);
        // Then
        assertThat(taken).hasSize(3);
        assertThat(group.paused()).isEmpty();
        assertThat(committed(FIRST)).isEqualTo(3);
    }

    @Test
    void positionsAreCommittedOnceBeforeTheTicketsAreOpened() throws Exception {
        // Given
        group.rebalance(List.of(FIRST));
        add(FIRST, 0, 1);
        // When
        inbox.round(group);
        // Then
        assertThat(group.order).containsExactly("committed", "taken", "taken");
    }

    @Test
    void aDraftIsHandedOnWithoutAPermitAfterTheTicketsOfItsRound() throws Exception {
        // Given
        group.rebalance(List.of(FIRST));
        addDraft(0);
        add(FIRST, 1);
        // When
        inbox.round(group);
        // Then
        assertThat(group.order).containsExactly("committed", "taken", "draft");
        assertThat(permits).hasSize(1);
        assertThat(gate.heldPermits()).isEqualTo(1);
        assertThat(committed(FIRST)).isEqualTo(2);
    }

    @Test
    void aDraftNeitherWaitsBehindATicketNorTakesItsPlace() throws Exception {
        // Given
        group.rebalance(List.of(FIRST));
        add(FIRST, 0, 1, 2);
        addDraft(3);
        add(FIRST, 4);
        // When
        inbox.round(group);
        // Then
        assertThat(drafts).containsExactly(3L);
        assertThat(inbox.partitions()).containsExactly(new InboxPartition(0, 2));

        // When
        freeAll();
        inbox.round(group);
        // Then
        assertThat(taken).hasSize(4);
        assertThat(drafts).containsExactly(3L);
        assertThat(inbox.partitions()).containsExactly(new InboxPartition(0, 5));
        assertThat(committed(FIRST)).isEqualTo(5);
    }

    @Test
    void whatWaitsInAPartitionThatIsTakenAwayIsLeftToItsNextOwner() throws Exception {
        // Given
        group.rebalance(List.of(FIRST, SECOND));
        add(FIRST, 0, 1, 2);
        inbox.round(group);
        add(SECOND, 5);
        group.resume(Set.of(SECOND));
        inbox.round(group);
        // When
        group.rebalance(List.of(SECOND));
        freeAll();
        inbox.round(group);
        // Then
        assertThat(taken).containsExactly("0:0 new", "0:1 new", "1:5 new");
        assertThat(committed(FIRST)).isEqualTo(2);
        assertThat(inbox.partitions()).containsExactly(new InboxPartition(1, 6));
    }

    @Test
    void aPartitionThatComesBackIsJudgedByWhereItEndsThen() throws Exception {
        // Given
        group.rebalance(List.of(FIRST));
        inbox.round(group);
        group.rebalance(List.of());
        assertThat(inbox.partitions()).isEmpty();
        // When
        group.updateEndOffsets(Map.of(FIRST, 3L));
        group.rebalance(List.of(FIRST));
        add(FIRST, 2, 3);
        inbox.round(group);
        // Then
        assertThat(taken).containsExactly("0:2 old", "0:3 new");
    }

    @Test
    void aWorkerThatIsClosedLeavesItsGroup() throws Exception {
        // Given
        group.schedulePollTask(() -> group.rebalance(List.of(FIRST)));
        var running = Thread.ofPlatform().start(inbox);
        while (inbox.partitions().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        // When
        inbox.close();
        running.join();
        // Then
        assertThat(group.closed()).isTrue();
        assertThat(inbox.partitions()).isEmpty();
    }

    private void freeAll() {
        permits.forEach(Permit::close);
        permits.clear();
    }

    private void add(TopicPartition at, long... offsets) {
        Arrays.stream(offsets)
                .forEach(offset ->
                        group.addRecord(new ConsumerRecord<>(TOPIC, at.partition(), offset, "key", new byte[0])));
    }

    private void addDraft(long offset) {
        group.addRecord(new ConsumerRecord<>(TOPIC, 0, offset, DRAFT.key(), DRAFT.value()));
    }

    private long committed(TopicPartition at) {
        return Objects.requireNonNull(group.kept.get(at)).offset();
    }

    /// The group, as its member sees it.
    private static final class Group extends MockConsumer<String, byte[]> {
        private final List<String> order = new ArrayList<>();
        private final Map<TopicPartition, OffsetAndMetadata> kept = new HashMap<>();
        private boolean silent;

        private Group() {
            super("earliest");
        }

        @Override
        public synchronized void commitAsync(
                Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            order.add("committed");
            kept.putAll(offsets);
            super.commitAsync(offsets, callback);
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(
                Collection<TopicPartition> partitions, Duration timeout) {
            if (silent) {
                throw new TimeoutException("no answer");
            }
            return super.endOffsets(partitions, timeout);
        }
    }
}
