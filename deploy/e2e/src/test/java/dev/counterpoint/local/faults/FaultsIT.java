package dev.counterpoint.local.faults;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A minute and a half of the fault run, with each kind of fault in it: callers, logs, tables and replicas are checked
/// as in the long run of each night. `-Dseed=` starts the search for a schedule elsewhere.
@Timeout(1200)
class FaultsIT {
    private static final Duration LENGTH = Duration.ofSeconds(90);

    @Test
    void everyPromiseIsKeptUnderEachKindOfFault() throws Exception {
        long seed = LongStream.iterate(Long.getLong("seed", 1), next -> next + 1)
                .filter(FaultsIT::hasEachKind)
                .findFirst()
                .orElseThrow();

        assertThat(FaultRun.violations(seed, LENGTH))
                .as("seed %d, see target/faults", seed)
                .isEmpty();
    }

    private static boolean hasEachKind(long seed) {
        var kinds = Schedule.of(seed, LENGTH, Cast.brokers(1)).stream()
                .map(Fault::kind)
                .collect(toSet());
        return kinds.containsAll(EnumSet.allOf(Fault.Kind.class));
    }
}
