package dev.counterpoint.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.gateway.fleet.FleetMembership;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The ground of the tests of an [Admission]: a gateway whose bus and whose workers a test plays.
abstract class AdmissionOfOneGateway {
    static final String SELF = "gateway-1";
    static final String WORKER = "worker-1";
    static final int DEAD_AFTER = 4;

    final FleetMembership fleet = new FleetMembership(SELF, DEAD_AFTER, Duration.ofMillis(500));
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    /// Without their inboxes, so that they equal what was entered.
    final List<PendingJob> sent = new ArrayList<>();
    boolean busTakes = true;
    Admission admission = admission(Map.of());

    List<PendingJob> enter(String tenant, Band band, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> {
                    var job = TestJobs.of(tenant, band);
                    admission.reserve(job.response(), tenant);
                    admission.enter(job);
                    return job;
                })
                .toList();
    }

    void fenced(PendingJob job) {
        admission.fenced(job.response(), job.tenant(), WORKER);
    }

    void beats(String worker, int slots, int free) {
        fleet.accept(TestAdmission.beat(worker, TestJobs.MODEL, slots, free));
        admission.release();
    }

    Admission admission(Map<String, String> settings) {
        JobDispatch dispatch = (job, lost) -> {
            if (busTakes) {
                assertThat(job.inbox()).isNotNull();
                sent.add(job.to(null));
            } else {
                lost.run();
            }
        };
        return TestAdmission.of(fleet, dispatch, registry, settings);
    }
}
