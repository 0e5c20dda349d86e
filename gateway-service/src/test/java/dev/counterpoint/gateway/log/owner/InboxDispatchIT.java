package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.GatewayWithBus;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.fleet.InboxWorker;
import dev.counterpoint.gateway.generation.Generations.Generation;
import dev.counterpoint.gateway.generation.ModelOutput;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Jobs in the inboxes of workers on a real bus. Each worker has one partition.
@QuarkusTest
@WithTestResource(GatewayWithBus.class)
class InboxDispatchIT extends OwnersOnBus {
    @Inject
    FleetMembership fleet;

    @BeforeEach
    void onlyTheseWorkersLive() {
        workers.dies(spareWorker);
    }

    @Test
    void theTicketComesWithFrameZeroAndTheAnswerGoesBack() throws Exception {
        // Given
        workers.reads("reader-1", 1);
        awaitReaders("reader-1");
        // When
        var generation = start();
        var id = generation.id();
        await("its ticket", () -> !log.inbox(id, 1).isEmpty());
        // Then
        assertThat(log.inbox(id, 1)).singleElement().satisfies(ticket -> {
            assertThat(ticket.first()).isNotNull();
            assertThat(ticket.first().encode())
                    .isEqualTo(log.frames(id).getFirst().encode());
            assertThat(ticket.resent()).isFalse();
        });

        // When
        var voice = new WorkerVoice(id, TENANT, 1, 7);
        workers.lives(voice.worker());
        workers.says(voice.fence(workerKeys), voice.opens(0, "one"), voice.ends(END));
        // Then
        await("the end", () -> generation.next(100) instanceof ModelOutput.Finished);
        generation.settle();
    }

    @Test
    void theTicketOfAKilledWorkerGoesToAnotherInbox() throws Exception {
        // Given
        workers.reads("reader-2", 2);
        awaitReaders("reader-2");
        var generation = start();
        var id = generation.id();
        await("its ticket", () -> !log.inbox(id, 2).isEmpty());
        // When
        workers.reads("reader-3", 3);
        workers.dies("reader-2");
        await("its second ticket", () -> !log.inbox(id, 3).isEmpty());
        // Then
        assertThat(log.inbox(id, 3)).allSatisfy(ticket -> {
            assertThat(ticket.resent()).isTrue();
            assertThat(ticket.attempt()).isEqualTo(1);
            assertThat(ticket.first()).isNull();
        });
        assertThat(log.inbox(id, 2)).hasSize(1);
        generation.abandon();
        generation.settle();
    }

    private Generation start() {
        ResponseId id = generations.newResponse(TENANT, "key-1");
        return generations.start(id, TestSubmissions.submission(false));
    }

    private void awaitReaders(String... names) throws Exception {
        await(
                "only these read",
                () -> fleet.inboxes(MODEL).stream()
                        .map(InboxWorker::name)
                        .toList()
                        .equals(List.of(names)));
    }
}
