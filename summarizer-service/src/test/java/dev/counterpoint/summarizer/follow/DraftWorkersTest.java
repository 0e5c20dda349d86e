package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.testkit.TestKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DraftWorkersTest {
    private static final KeyRing WORKER = TestKeys.of(ServiceRole.WORKER);
    private static final List<String> WRITES = List.of(DraftRequest.ABILITY, "masks");

    private final AtomicInteger refused = new AtomicInteger();
    private final KeyRing summarizer =
            KeyRing.load(TestKeys.FOLDER, ServiceRole.SUMMARIZER, (_, _) -> refused.incrementAndGet());
    private final BeatSigner first = new BeatSigner("worker-1", WORKER);
    private final BeatSigner second = new BeatSigner("worker-2", WORKER);
    private long nowMillis = 1_000;
    private final DraftWorkers workers = new DraftWorkers(summarizer, () -> nowMillis);

    @Test
    void theFreestWorkerIsAskedUntilItIsNotTheFreestAnyMore() {
        // Given
        hear(first.prove(beat("worker-1", 3, WRITES, 1)));
        hear(second.prove(beat("worker-2", 1, WRITES, 2)));
        // When
        var asked = new ArrayList<Integer>();
        for (var chosen = workers.choose("model"); chosen.isPresent(); chosen = workers.choose("model")) {
            asked.add(chosen.get());
        }
        // Then
        assertThat(asked).hasSize(4).startsWith(1, 1).containsOnlyOnce(2);

        // When
        hear(second.prove(beat("worker-2", 1, WRITES, 2)));
        // Then
        assertThat(workers.choose("model")).contains(2);
        assertThat(workers.choose("model")).isEmpty();
        assertThat(workers.anyOf("model")).isTrue();
    }

    @Test
    void amongEqualWorkersAndPartitionsChanceDecides() {
        // Given
        hear(first.prove(beat("worker-1", 1_000, WRITES, 1, 2)));
        hear(second.prove(beat("worker-2", 1_000, WRITES, 3)));
        // Then
        assertThat(Stream.generate(() -> workers.choose("model").orElseThrow()).limit(200))
                .contains(1, 2, 3);
    }

    @Test
    void aWorkerThatFellSilentIsNotAsked() {
        // Given
        hear(first.prove(beat("worker-1", 3, WRITES, 1)));
        nowMillis += 4_000;
        assertThat(workers.anyOf("model")).isTrue();
        // When
        nowMillis++;
        // Then
        assertThat(workers.anyOf("model")).isFalse();
        assertThat(workers.choose("model")).isEmpty();
    }

    @Test
    void aWorkerThatLeavesOrLosesItsInboxIsNotAsked() {
        // Given
        hear(first.prove(beat("worker-1", 3, WRITES, 1)));
        hear(second.prove(beat("worker-2", 3, WRITES, 2)));
        // When
        hear(first.proveFarewell(beat("worker-1", 3, WRITES, 1)));
        hear(second.prove(beat("worker-2", 3, WRITES)));
        // Then
        assertThat(workers.anyOf("model")).isFalse();
    }

    @Test
    void whoWritesNoDraftsIsNotAskedAndHisBeatsAreNoForgeries() {
        // When
        hear(first.prove(beat("worker-1", 3, List.of("masks"), 1)));
        hear(new BeatSigner("gateway-1", TestKeys.of(ServiceRole.GATEWAY))
                .prove(new Heartbeat("gateway-1", null, System.currentTimeMillis())));
        hear(new byte[0]);
        // Then
        assertThat(workers.anyOf("model")).isFalse();
        assertThat(refused.get()).isZero();
    }

    @Test
    void aBeatThatNoWorkerSentIsRefused() {
        // When
        hear(new BeatSigner("worker-1", TestKeys.of(ServiceRole.GATEWAY)).prove(beat("worker-1", 3, WRITES, 1)));
        hear(beat("worker-1", 3, WRITES, 1).encode());
        // Then
        assertThat(workers.anyOf("model")).isFalse();
        assertThat(refused.get()).isEqualTo(2);
    }

    private void hear(byte[] record) {
        workers.verified(record).ifPresent(workers::accept);
    }

    private static Heartbeat beat(String sender, int free, List<String> abilities, int... partitions) {
        var model = new Heartbeat.Model("model", "", 1_000, 1_000, free, abilities);
        var inbox = new ArrayList<InboxPartition>();
        for (int partition : partitions) {
            inbox.add(new InboxPartition(partition, 0));
        }
        long now = System.currentTimeMillis();
        return new Heartbeat(sender, model, now, null, 0, inbox, 1_000, Frame.NEWEST_FORMAT);
    }
}
