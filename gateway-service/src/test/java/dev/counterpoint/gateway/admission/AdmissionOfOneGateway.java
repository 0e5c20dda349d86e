package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.fleet.Beat;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.gateway.models.LiveFleet;
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

    final LiveFleet fleet = new LiveFleet(SELF, DEAD_AFTER, Duration.ofMillis(500));
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final List<Job> sent = new ArrayList<>();
    boolean busTakes = true;
    Admission admission = admission(Map.of());

    List<Job> enter(String tenant, Band band, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> {
                    var job = Jobs.of(tenant, band);
                    admission.reserve(job.response(), tenant);
                    admission.enter(job);
                    return job;
                })
                .toList();
    }

    void fenced(Job job) {
        admission.fenced(job.response(), job.tenant(), WORKER);
    }

    void beats(String worker, int slots, int free) {
        fleet.accept(new Beat(worker, new Beat.Model(Jobs.MODEL, "", 1_000, slots, free, List.of()), 0));
        admission.release();
    }

    Admission admission(Map<String, String> settings) {
        Dispatch dispatch = (job, lost) -> {
            if (busTakes) {
                sent.add(job);
            } else {
                lost.run();
            }
        };
        return TestAdmission.of(fleet, dispatch, registry, settings);
    }
}
