package dev.counterpoint.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.gateway.admission.Inboxes.Fate;
import dev.counterpoint.gateway.fleet.FleetMembership;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The choice of a worker, and the tickets that get lost. In each test worker `a` has the partitions 0 to 3, `b`
/// 10 to 13 and so on.
class InboxesTest {
    private static final String SELF = "gateway-1";
    private static final int DEAD_AFTER = 4;
    private static final int PARTITIONS = 4;

    private final FleetMembership fleet = new FleetMembership(SELF, DEAD_AFTER, Duration.ofMillis(500));
    private final Inboxes inboxes = new Inboxes(fleet);

    @Test
    void whileNoWorkerNamesAnInboxAJobGetsNoneAndIsLostAsSoonAsOneDoes() {
        // Given
        fleet.accept(new Heartbeat("starting", model(4, 4), 0));
        // When
        var unsent = inboxes.route(job(1));
        // Then
        assertThat(unsent.inbox()).isNull();
        assertThat(fate(unsent)).isEqualTo(Fate.STANDS);

        // When
        beat("a", 4, 0);
        // Then
        assertThat(fate(unsent)).as("though it has no slot").isEqualTo(Fate.LOST);
        assertThat(workerOf(inboxes.route(unsent))).isEqualTo("a");
        assertThat(fate(unsent)).isEqualTo(Fate.STANDS);
    }

    @Test
    void theFirstWorkerOfAConversationGetsItUntilItsLoadIsBeyondTheBound() {
        // Given
        var order = order(7, "a", "b", "c", "d");
        order.forEach(name -> beat(name, 16, 16));
        beat(order.getFirst(), 16, 14);
        // Then
        assertThat(workerOf(inboxes.route(job(7)))).isEqualTo(order.getFirst());

        // When the ticket that we sent takes it beyond 1.25 times the mean and two
        // Then
        assertThat(workerOf(inboxes.route(job(7)))).isEqualTo(order.get(1));
    }

    @Test
    void promptsThatAllBeginAlikeSpreadWithinABoundOnTheLoad() {
        // Given
        for (var name : List.of("a", "b", "c", "d")) {
            beat(name, 32, 32);
        }
        // When
        var chosen = new HashMap<String, Integer>();
        for (int job = 0; job < 40; job++) {
            chosen.merge(workerOf(inboxes.route(job(7))), 1, Integer::sum);
        }
        // Then
        assertThat(chosen).hasSizeGreaterThan(2);
        assertThat(chosen.values()).allMatch(count -> count <= 1.25 * 10 + 2 + 1);
    }

    @Test
    void gatewaysAgreeAboutAPrefixAndPrefixesSpread() {
        // Given
        var other = new Inboxes(fleet);
        for (var name : List.of("a", "b", "c", "d")) {
            beat(name, 1_000, 1_000);
        }
        // When
        var chosen = new HashMap<String, Integer>();
        for (int prefix = 0; prefix < 400; prefix++) {
            var job = inboxes.route(job(prefix * 31));
            assertThat(workerOf(other.route(job))).isEqualTo(workerOf(job));
            inboxes.gone(job.response());
            other.gone(job.response());
            chosen.merge(workerOf(job), 1, Integer::sum);
        }
        // Then
        assertThat(chosen).hasSize(4);
        assertThat(chosen.values()).allMatch(count -> count > 50);
    }

    @Test
    void aWorkerWithAFreeSlotGetsWhatThoseOfThePrefixHaveNoneFor() {
        // Given
        var order = order(7, "a", "b", "c");
        beat(order.get(0), 2, 0);
        beat(order.get(1), 2, 1);
        beat(order.get(2), 2, 1);
        // When
        var chosen = IntStream.range(0, 2)
                .mapToObj(_ -> workerOf(inboxes.route(job(7))))
                .toList();
        // Then
        assertThat(chosen).containsExactlyInAnyOrder(order.get(1), order.get(2));
        assertThat(inboxes.haveRoom(TestJobs.MODEL)).isFalse();
    }

    @Test
    void theTicketsOfAWorkerGoRoundItsPartitions() {
        // Given
        beat("a", 100, 100);
        // When
        var used = IntStream.range(0, 2 * PARTITIONS)
                .mapToObj(_ -> inboxes.route(job(7)).inbox())
                .toList();
        // Then
        assertThat(used).containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
    }

    @Test
    void aTicketThatABeatShowsAsTakenIsCountedByTheBeatAlone() {
        // Given
        beat("a", 2, 2);
        var sent = inboxes.route(job(7));
        inboxes.appended(sent, 5);
        assertThat(inboxes.haveRoom(TestJobs.MODEL)).isTrue();
        // When
        beatTaken("a", 1, 6);
        // Then
        assertThat(inboxes.haveRoom(TestJobs.MODEL))
                .as("one runs, one slot is free")
                .isTrue();

        // When
        inboxes.appended(inboxes.route(job(7)), 6);
        // Then
        assertThat(inboxes.haveRoom(TestJobs.MODEL)).isFalse();
    }

    @Test
    void aWorkerThatLostAJobGetsItAgainOnlyWhenThereIsNoOther() {
        // Given
        beat("a", 4, 4);
        beat("b", 4, 0);
        // Then
        assertThat(workerOf(inboxes.route(job(7, "a")))).isEqualTo("b");

        // When
        fleet.left("b");
        // Then
        assertThat(workerOf(inboxes.route(job(7, "a")))).isEqualTo("a");
    }

    @Test
    void theTicketOfADeadWorkerIsLostAndASecondDeathIsACrash() {
        // Given
        beat("a", 4, 4);
        var sent = sent(job(7));
        beat("b", 4, 4);
        beat("c", 4, 4);
        // When
        passWith(DEAD_AFTER - 1, "b", "c");
        var early = fate(sent);
        passWith(1, "b", "c");
        // Then
        assertThat(early).isEqualTo(Fate.STANDS);
        assertThat(fate(sent)).isEqualTo(Fate.LOST);

        // When
        var second = sent(sent);
        passWith(DEAD_AFTER, workerOf(second).equals("b") ? "c" : "b");
        // Then
        assertThat(fate(second)).isEqualTo(Fate.CRASHED_WORKERS);

        // When
        var third = sent(second);
        // Then
        assertThat(fate(third)).isEqualTo(Fate.STANDS);
    }

    @Test
    void aTicketThatWaitsForAWorkerKeepsItsCount() {
        // Given
        beat("a", 4, 4);
        var first = sent(job(7));
        beat("b", 4, 4);
        passWith(DEAD_AFTER, "b");
        var second = sent(first);
        // When
        fleet.left("b");
        var unsent = inboxes.route(second);
        beat("c", 4, 4);
        var third = sent(unsent);
        beat("d", 4, 4);
        passWith(DEAD_AFTER, "d");
        // Then
        assertThat(unsent.inbox()).isNull();
        assertThat(workerOf(third)).isEqualTo("c");
        assertThat(fate(third)).isEqualTo(Fate.CRASHED_WORKERS);
    }

    @Test
    void aWorkerThatLeavesDidNotDieOfItsTickets() {
        // Given
        beat("a", 4, 4);
        var sent = sent(job(7));
        for (var next : List.of("b", "c", "d")) {
            // When
            fleet.left(workerOf(sent));
            beat(next, 4, 4);
            // Then
            assertThat(fate(sent)).isEqualTo(Fate.LOST);
            sent = sent(sent);
        }
    }

    @Test
    void aTicketThatTwoLaterBeatsShowUntakenMovesOnceWhereAnotherHasASlot() {
        // Given
        beat("a", 4, 4);
        var sent = sent(job(7));
        // When
        beat("a", 4, 0);
        beat("a", 4, 0);
        // Then
        assertThat(fate(sent)).as("nobody else has a slot").isEqualTo(Fate.STANDS);

        // When
        beat("b", 4, 1);
        // Then
        assertThat(fate(sent)).isEqualTo(Fate.LOST);

        // When
        var moved = sent(sent);
        beat("c", 4, 4);
        beat("b", 4, 0);
        beat("b", 4, 0);
        // Then
        assertThat(workerOf(moved)).isEqualTo("b");
        assertThat(fate(moved)).as("once").isEqualTo(Fate.STANDS);
    }

    @Test
    void oneBeatOrATakenTicketOrNoAcknowledgementIsNoReasonToMove() {
        // Given
        beat("b", 4, 4);
        fleet.left("b");
        beat("a", 4, 4);
        var sent = sent(job(7));
        var unknown = inboxes.route(job(7));
        beat("b", 4, 4);
        // When
        beat("a", 4, 0);
        // Then
        assertThat(fate(sent)).isEqualTo(Fate.STANDS);

        // When
        beatTaken("a", 0, 1);
        // Then
        assertThat(fate(sent)).as("taken").isEqualTo(Fate.STANDS);
        assertThat(fate(unknown)).as("not acknowledged").isEqualTo(Fate.STANDS);
    }

    @Test
    void aPartitionThatChangesHandsGivesItsNewWorkerTimeToo() {
        // Given
        beat("a", 4, 4);
        var sent = sent(job(7));
        beat("b", 4, 4);
        // When
        fleet.left("a");
        beatOf("c", model(4, 0), Map.of(0, 0L));
        // Then
        assertThat(fate(sent)).isEqualTo(Fate.STANDS);

        // When
        beatOf("c", model(4, 0), Map.of(0, 0L));
        var early = fate(sent);
        beatOf("c", model(4, 0), Map.of(0, 0L));
        // Then
        assertThat(early).isEqualTo(Fate.STANDS);
        assertThat(fate(sent)).isEqualTo(Fate.LOST);
    }

    @Test
    void nothingIsLostWhileHalfOfTheWorkersAreLate() {
        // Given
        pass(1);
        beat("a", 4, 4);
        var sent = sent(job(7));
        for (var name : List.of("b", "c", "d")) {
            beat(name, 4, 4);
        }
        // When
        passWith(DEAD_AFTER - 1, "b", "c", "d");
        passWith(2, "c", "d");
        // Then
        assertThat(fleet.dead("a")).isTrue();
        assertThat(fate(sent)).isEqualTo(Fate.STANDS);

        // When
        passWith(1, "b", "c", "d");
        // Then
        assertThat(fate(sent)).isEqualTo(Fate.LOST);
    }

    @Test
    void aFenceOrAnotherAttemptEndsTheCareForATicket() {
        // Given
        beat("a", 4, 4);
        var sent = sent(job(7));
        beat("b", 4, 4);
        passWith(DEAD_AFTER, "b");
        // Then
        assertThat(inboxes.fate(sent.response(), 2)).isEqualTo(Fate.STANDS);

        // When
        inboxes.gone(sent.response());
        // Then
        assertThat(fate(sent)).isEqualTo(Fate.STANDS);
    }

    private PendingJob sent(PendingJob job) {
        var sent = inboxes.route(job);
        inboxes.appended(sent, 0);
        return sent;
    }

    private Fate fate(PendingJob job) {
        return inboxes.fate(job.response(), 1);
    }

    private static PendingJob job(long prefix) {
        return job(prefix, null);
    }

    private static PendingJob job(long prefix, @Nullable String avoid) {
        var ticket = TestJobs.of("anna", Band.NORMAL).ticket();
        var routing = new JobRouting(TestJobs.MODEL, Band.NORMAL, prefix, avoid);
        return new PendingJob(ticket, routing, now -> now, JobSpans.NONE);
    }

    private static String workerOf(PendingJob job) {
        return String.valueOf((char) ('a' + Objects.requireNonNull(job.inbox()) / 10));
    }

    private static List<String> order(long prefix, String... workers) {
        var routing = new JobRouting(TestJobs.MODEL, Band.NORMAL, prefix, null);
        return Arrays.stream(workers)
                .sorted((a, b) -> Long.compare(routing.weight(b), routing.weight(a)))
                .toList();
    }

    private static Heartbeat.Model model(int slots, int free) {
        return new Heartbeat.Model(TestJobs.MODEL, "", 1_000, slots, free, List.of());
    }

    private void beat(String worker, int slots, int free) {
        beatOf(worker, model(slots, free), partitions(worker, 0));
    }

    private void beatTaken(String worker, int free, long taken) {
        beatOf(worker, model(2, free), partitions(worker, taken));
    }

    private static Map<Integer, Long> partitions(String worker, long taken) {
        var found = new HashMap<Integer, Long>();
        for (int number = 0; number < PARTITIONS; number++) {
            found.put((worker.charAt(0) - 'a') * 10 + number, taken);
        }
        return found;
    }

    private void beatOf(String worker, Heartbeat.Model model, Map<Integer, Long> taken) {
        var inbox = taken.entrySet().stream()
                .map(each -> new InboxPartition(each.getKey(), each.getValue()))
                .toList();
        fleet.accept(new Heartbeat(worker, model, 0, null, 0, inbox, 500, 1));
    }

    private void pass(int beats) {
        passWith(beats);
    }

    private void passWith(int beats, String... alive) {
        for (int i = 0; i < beats; i++) {
            for (var name : alive) {
                beat(name, 4, 4);
            }
            fleet.accept(new Heartbeat(SELF, null, i));
        }
    }
}
