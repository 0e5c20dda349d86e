package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.gateway.GatewayWithBus;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a gateway left behind becomes another's, and nothing of it is lost.
@QuarkusTest
@WithTestResource(GatewayWithBus.class)
class AdoptionIT extends OwnersOnBus {
    @Test
    void whatADeadGatewayLeftIsBroughtToItsEnd() throws Exception {
        // Given a partition of a gateway that died, with all that it left half done
        int partition = partitionOf("gone");
        var unqueued = accepted(partition, Kind.BACKGROUND);
        var running = accepted(partition, Kind.BACKGROUND);
        var expired = accepted(partition, Kind.EXPIRED);
        var orphan = accepted(partition, Kind.FOREGROUND);
        var voice = voice(running, 1);
        workers.says(voice.fence(workerKeys), voice.opens(0, "one"));
        // When
        lapse(partition);
        await("adopted", () -> firstOwns().contains(partition));
        workers.says(voice.ends(END));
        await("queued by its adopter", () -> log.queued(unqueued).contains(1));
        var second = voice(unqueued, 1);
        workers.says(second.fence(workerKeys), second.opens(0, "two"), second.ends(END));
        // Then
        await("running one is finished", () -> status(row(running)).equals("completed"));
        await("queued one is finished", () -> status(row(unqueued)).equals("completed"));
        await("expired one has its end", () -> status(row(expired)).equals("failed"));
        await("orphan has its end", () -> log.kinds(orphan).contains(FrameKind.OWNER_END));
        assertThat(charged()).isEqualTo(2L * USED);
        assertThat(log.valid(running))
                .as("nobody disturbed it")
                .containsExactly(FrameKind.ACCEPTED, FrameKind.FENCE, FrameKind.DELTA, FrameKind.END);
    }

    @Test
    @DisplayName("f5: what has ended with its row is not run again, and nothing is opened where live streams are read")
    void whatHasEndedWithItsRowIsNotTakenUpAgain() throws Exception {
        // Given a partition of the second gateway, which was away
        int partition = partitionOf("second");
        var done = accepted(partition, Kind.BACKGROUND);
        var voice = voice(done, 1);
        workers.says(voice.fence(workerKeys), voice.opens(0, "one"), voice.ends(END));
        rows.finish(row(done), tenant, "completed", "{}");
        var unwritten = accepted(partition, Kind.BACKGROUND);
        var other = voice(unwritten, 1);
        workers.says(other.fence(workerKeys), other.opens(0, "two"), other.ends(END));
        var taken = new RecordedRecovery();
        var turns = new SecondGateway.Turns(taken.watching(apis), rows, generations);
        // When
        try (var second = new SecondGateway("gateway-back", table, keys, turns, taken::watching)) {
            await("it is back", () -> second.owned().contains(partition));
            await("its row is written", () -> status(row(unwritten)).equals("completed"));
        }
        // Then
        assertThat(taken.ids()).containsExactly(unwritten);
        assertThat(taken.threads()).doesNotContain("follow-frames");
    }

    @Test
    void whatAGatewayHandsOverOnItsWayOutIsAnothersAtOnce() throws Exception {
        // Given a second gateway with a response that runs in the background
        ResponseId running;
        WorkerVoice voice;
        int partition;
        long began;
        try (var second = new SecondGateway("gateway-2", table, keys, turns())) {
            await("both have their share", () -> second.owned().size() >= GatewayWithBus.PARTITIONS);
            partition = second.owned().iterator().next();
            assertThat(firstOwns()).doesNotContainAnyElementsOf(second.owned());
            running = accepted(partition, Kind.BACKGROUND);
            voice = voice(running, 1);
            workers.says(voice.fence(workerKeys), voice.opens(0, "one"));
            // When
            began = System.nanoTime();
        }
        var stopped = Duration.ofNanos(System.nanoTime() - began);
        await("adopted", () -> firstOwns().contains(partition));
        var adopted = Duration.ofNanos(System.nanoTime() - began);
        workers.says(voice.says(0, "two"), voice.ends(END));
        // Then
        await("finished", () -> status(row(running)).equals("completed"));
        System.out.printf("stopped after %d ms, adopted after %d ms%n", stopped.toMillis(), adopted.toMillis());
        assertThat(log.kinds(running))
                .as("it went on")
                .containsExactly(FrameKind.ACCEPTED, FrameKind.FENCE, FrameKind.DELTA, FrameKind.DELTA, FrameKind.END);
        assertThat(charged()).isEqualTo(USED);
        await("all are adopted", () -> firstOwns().size() == partitions());
    }

    @Test
    void aGatewayThatComesBackGetsItsShareAndItStaysThere() throws Exception {
        // Given
        try (var once = new SecondGateway("gateway-2", table, keys, turns())) {
            await("its share", () -> once.owned().size() >= GatewayWithBus.PARTITIONS);
        }
        int all = partitions();
        await("all are adopted", () -> firstOwns().size() == all);
        // When
        try (var again = new SecondGateway("gateway-3", table, keys, turns())) {
            await(
                    "half of them",
                    () -> again.owned().size() == all / 2 && firstOwns().size() == all / 2);
            // Then they stay where they are, beat after beat
            var sights = new ArrayList<Set<Integer>>();
            for (int beat = 0; beat < 4; beat++) {
                long heard = heartbeats();
                await("a heartbeat of each", () -> heartbeats() > heard);
                sights.add(again.owned());
            }
            assertThat(sights).allMatch(sights.getFirst()::equals);
            assertThat(partitions()).as("no new ones").isEqualTo(all);
        }
    }

    /// Sum of the ages of all heartbeats by the second, as a number that grows.
    private long heartbeats() {
        return database.createNativeQuery(
                        "select cast(sum(extract(epoch from heartbeat) * 1000) as bigint) from gateway_replica",
                        Long.class)
                .getSingleResult();
    }

    private int partitions() {
        try (var admin = clients.admin()) {
            return new Topics(admin).partitions(Topic.FRAMES);
        }
    }

    /// A new partition that belongs to a gateway that still beats.
    private int partitionOf(String owner) {
        int fresh = partitions();
        update("insert into frame_partition (partition, owner, heartbeat) values (%d, '%s', now() + interval '1 day')"
                .formatted(fresh, owner));
        try (var admin = clients.admin()) {
            new Topics(admin).ensureShared(fresh + 1);
        }
        return fresh;
    }

    private void lapse(int partition) {
        update("update frame_partition set heartbeat = now() - interval '1 hour' where partition = " + partition);
    }
}
