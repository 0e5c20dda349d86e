package dev.counterpoint.gateway.admission;

import static dev.counterpoint.bus.kafka.Topic.Band.HIGH;
import static dev.counterpoint.bus.kafka.Topic.Band.LOW;
import static dev.counterpoint.bus.kafka.Topic.Band.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// M2: whatever one tenant has open, a slot is free for another one.
class KeptSlotsTest extends AdmissionOfOneGateway {
    private final List<PendingJob> entered = new ArrayList<>();

    @BeforeEach
    void thereAreSeveralTenants() {
        admission = TestAdmission.ofSeveralTenants(fleet, (job, _) -> sent.add(job.to(null)));
    }

    @ParameterizedTest(name = "M2 of {0} slots one tenant gets {1}")
    @CsvSource({"64, 56", "16, 14", "9, 7", "8, 7", "4, 3", "3, 3", "1, 1"})
    void oneTenantNeverHoldsAllSlots(int slots, int most) {
        // Given
        var workers = new Workers(slots);
        // When
        enter("flood", NORMAL, 200);
        workers.takeAll();
        // Then
        assertThat(workers.running).hasSize(most);
    }

    @Test
    @DisplayName("M2 another tenant's job is the next that a worker takes")
    void anotherTenantGetsASlotAtOnce() {
        // Given
        var workers = new Workers(16);
        enter("flood", NORMAL, 200);
        enter("flood", LOW, 200);
        workers.takeAll();
        // When
        var other = enter("anna", LOW, 1).getFirst();
        // Then
        assertThat(sent.getLast()).isEqualTo(other);
        workers.takeAll();
        assertThat(workers.running).contains(other);
    }

    @Test
    @DisplayName("M2 a slot that another tenant used is kept free again")
    void whatIsKeptIsKeptAgain() {
        // Given
        var workers = new Workers(8);
        enter("flood", NORMAL, 200);
        workers.takeAll();
        // When
        var first = enter("anna", NORMAL, 1).getFirst();
        workers.takeAll();
        workers.end(first);
        workers.takeAll();
        // Then
        assertThat(workers.running).hasSize(7).allMatch(job -> job.tenant().equals("flood"));
    }

    @Test
    @DisplayName("M2 nothing is kept while there is one tenant only")
    void aTenantThatIsAloneGetsAllSlots() {
        // Given
        admission = TestAdmission.of(fleet, (job, _) -> sent.add(job.to(null)));
        var workers = new Workers(16);
        // When
        enter("flood", NORMAL, 200);
        workers.takeAll();
        // Then
        assertThat(workers.running).hasSize(16);
    }

    @Test
    @DisplayName("M2 whoever comes and goes, all slots but the kept ones are used, and who has none gets one")
    void slotsAreSharedByThoseWhoWait() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            sent.clear();
            entered.clear();
            thereAreSeveralTenants();
            int slots = 4 + random.nextInt(60);
            int kept = Math.ceilDiv(slots, 8);
            var workers = new Workers(slots);
            for (int step = 0; step < 60; step++) {
                var tenant = "tenant-" + Math.min(random.nextInt(4), random.nextInt(4));
                var band = List.of(HIGH, NORMAL, LOW).get(random.nextInt(3));
                entered.addAll(enter(tenant, band, random.nextInt(slots) / 2));
                workers.takeAll();
                for (int ends = random.nextInt(slots); ends > 0 && !workers.running.isEmpty(); ends--) {
                    workers.end(workers.running.get(random.nextInt(workers.running.size())));
                }
                workers.takeAll();
                var as = "seed %d step %d slots %d".formatted(seed, step, slots);
                boolean waits = admission.waiting(HIGH) + admission.waiting(NORMAL) + admission.waiting(LOW) > 0;
                if (waits) {
                    assertThat(workers.running.size()).as(as).isGreaterThanOrEqualTo(slots - kept);
                }
                if (workers.running.size() < slots) {
                    assertThat(workers.slotless()).as(as).isEmpty();
                }
            }
        }
    }

    /// The workers' side: takes the jobs of its inbox in their order.
    private final class Workers {
        private final List<PendingJob> running = new ArrayList<>();
        private final int slots;
        private int taken;

        Workers(int slots) {
            this.slots = slots;
            beat();
        }

        void beat() {
            int free = slots - running.size();
            fleet.accept(TestAdmission.beat(WORKER, TestJobs.MODEL, slots, free));
            admission.release();
        }

        void takeAll() {
            while (taken < sent.size() && running.size() < slots) {
                var job = sent.get(taken++);
                running.add(job);
                fenced(job);
            }
            beat();
            if (taken < sent.size() && running.size() < slots) {
                takeAll();
            }
        }

        void end(PendingJob job) {
            running.remove(job);
            admission.ended(job.response());
            admission.readerLeft(job.response());
        }

        /// Jobs that wait though their tenant has none with the workers.
        List<PendingJob> slotless() {
            return entered.stream()
                    .filter(job -> admission.keeps(job.response()))
                    .filter(job -> sent.stream()
                            .skip(taken)
                            .noneMatch(queued -> queued.tenant().equals(job.tenant())))
                    .filter(job ->
                            running.stream().noneMatch(held -> held.tenant().equals(job.tenant())))
                    .toList();
        }
    }
}
