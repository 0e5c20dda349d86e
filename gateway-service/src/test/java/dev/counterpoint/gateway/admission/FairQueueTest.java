package dev.counterpoint.gateway.admission;

import static dev.counterpoint.bus.kafka.Topic.Band.HIGH;
import static dev.counterpoint.bus.kafka.Topic.Band.LOW;
import static dev.counterpoint.bus.kafka.Topic.Band.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.kafka.Topic.Band;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FairQueueTest {
    private static final Map<Band, Integer> SHARES = Map.of(HIGH, 12, NORMAL, 3, LOW, 1);
    private static final int ROUND = 16;

    private final FairQueue queue = new FairQueue(SHARES);

    @Test
    void ofOneTenantFirstComeFirstServed() {
        // Given
        var jobs = add("anna", NORMAL, 5);
        // Then
        assertThat(drain()).isEqualTo(jobs);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aThousandOfOneTenantDelayAnothersByOne() {
        // Given
        add("flood", NORMAL, 1_000);
        var other = TestJobs.of("anna", NORMAL);
        queue.add(other);
        // When
        var order = List.of(poll(), poll());
        // Then
        assertThat(order).last().isEqualTo(other);
    }

    @Test
    void everyTenantsNextComesBeforeAnyonesSecond() {
        // Given
        add("anna", NORMAL, 10);
        add("bert", NORMAL, 10);
        add("carl", NORMAL, 10);
        // When
        var tenants = drain().stream().map(PendingJob::tenant).toList();
        // Then
        for (int turn = 0; turn < 10; turn++) {
            assertThat(tenants.subList(3 * turn, 3 * turn + 3)).containsExactly("anna", "bert", "carl");
        }
    }

    @Test
    void bandsGetTheirSharesAndNoneStarves() {
        // Given
        for (var band : Band.values()) {
            add("flood", band, 100);
        }
        // When
        var bands = new HashMap<Band, Integer>();
        for (int i = 0; i < ROUND; i++) {
            bands.merge(poll().band(), 1, Integer::sum);
        }
        // Then
        assertThat(bands).isEqualTo(SHARES);
    }

    @Test
    void whatWasTakenInVainIsNextAgain() {
        // Given
        var jobs = add("anna", NORMAL, 2);
        add("bert", NORMAL, 2);
        var taken = poll();
        // When
        queue.putBack(taken);
        // Then
        assertThat(taken).isEqualTo(jobs.getFirst());
        assertThat(drain()).startsWith(taken).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void removingIsForgettingAndTwiceIsNothing() {
        // Given
        var jobs = add("anna", NORMAL, 3);
        // When
        queue.remove(jobs.get(1));
        queue.remove(jobs.get(1));
        queue.remove(TestJobs.of("nobody", HIGH));
        // Then
        assertThat(drain()).containsExactly(jobs.get(0), jobs.get(2));
    }

    /// Tenants come and go at random. Each job goes once or was removed, a tenant's own in their order, and while a
    /// job is at its tenant's head, each other tenant of its band goes at most once before it.
    @Test
    void nothingIsLostNothingIsDoubledAndNobodyIsPassedTwice() {
        for (int seed = 0; seed < 300; seed++) {
            new Play(seed).run();
        }
    }

    /// A random history beside the simplest possible model of it.
    private static final class Play {
        private final int seed;
        private final Random random;
        private final FairQueue queue = new FairQueue(SHARES);
        private final Map<String, Deque<PendingJob>> waiting = new HashMap<>();
        /// Who went since a line's head is at its head.
        private final Map<String, Set<String>> passedBy = new HashMap<>();

        Play(int seed) {
            this.seed = seed;
            random = new Random(seed);
        }

        void run() {
            for (int step = 0; step < 400; step++) {
                int dice = random.nextInt(10);
                if (dice < 5) {
                    var job = TestJobs.of(
                            "tenant-" + random.nextInt(5), Band.values()[random.nextInt(Band.values().length)]);
                    queue.add(job);
                    waiting.computeIfAbsent(line(job), _ -> new ArrayDeque<>()).add(job);
                } else if (dice < 6) {
                    removeOne();
                } else {
                    check(queue.poll(_ -> true));
                }
            }
            while (!queue.isEmpty()) {
                check(queue.poll(_ -> true));
            }
            assertThat(waiting).as("seed %d", seed).isEmpty();
        }

        private void removeOne() {
            waiting.values().stream().findAny().map(Deque::getLast).ifPresent(job -> {
                queue.remove(job);
                took(job);
            });
        }

        private void check(@org.jspecify.annotations.Nullable PendingJob job) {
            if (job == null) {
                assertThat(waiting).as("seed %d", seed).isEmpty();
                return;
            }
            assertThat(waiting).as("seed %d", seed).containsKey(line(job));
            assertThat(Objects.requireNonNull(waiting.get(line(job))).getFirst())
                    .as("seed %d", seed)
                    .isEqualTo(job);
            waiting.keySet().stream()
                    .filter(line -> !line.equals(line(job)) && line.startsWith(job.band() + " "))
                    .forEach(line -> assertThat(passedBy.computeIfAbsent(line, _ -> new HashSet<>())
                                    .add(job.tenant()))
                            .as("seed %d: %s passed twice", seed, line)
                            .isTrue());
            passedBy.remove(line(job));
            took(job);
        }

        private void took(PendingJob job) {
            waiting.computeIfPresent(line(job), (_, jobs) -> {
                jobs.remove(job);
                return jobs.isEmpty() ? null : jobs;
            });
            passedBy.keySet().retainAll(waiting.keySet());
        }

        private static String line(PendingJob job) {
            return job.band() + " " + job.tenant();
        }
    }

    private List<PendingJob> add(String tenant, Band band, int count) {
        var jobs = new ArrayList<PendingJob>();
        for (int i = 0; i < count; i++) {
            var job = TestJobs.of(tenant, band);
            jobs.add(job);
            queue.add(job);
        }
        return jobs;
    }

    private PendingJob poll() {
        return Objects.requireNonNull(queue.poll(_ -> true));
    }

    private List<PendingJob> drain() {
        var jobs = new ArrayList<PendingJob>();
        for (var job = queue.poll(_ -> true); job != null; job = queue.poll(_ -> true)) {
            jobs.add(job);
        }
        return jobs;
    }
}
