package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.kafka.Topic;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Prints how fast records come in and are read, each with its place in the log.
@Tag("nightly")
@QuarkusTest
@WithTestResource(AuditParts.class)
@Timeout(300)
class AuditSpeedIT {
    private static final int RECORDS = 6_000;
    private static final long PAUSE_NANOS = 200_000_000;
    private static final int READS = 200;
    private static final int KEYS = 100_000;
    private static final String TENANT = "speed";
    private static final String THOUGHT = "I think of it. ".repeat(4096 / 15);

    @Test
    void recordsComeInAndAreReadAtTheirPace() {
        var staff = StaffClient.everything();
        var all = new ArrayList<Asked>();
        try (var bus = TestBus.ofTest()) {
            print("ingest of 4 kB by a new process: %.0f records/s", ingested(bus, all));
            ingested(bus, all);
            print("ingest of 4 kB: %.0f records/s", ingested(bus, all));
        }
        var millis = new ArrayList<Double>();
        for (var asked : all.subList(0, READS)) {
            long began = System.nanoTime();
            assertThat(staff.read(asked.id().toString()).status()).isEqualTo(200);
            millis.add(seconds(began) * 1000);
        }
        print("read with its checkpoint: p50 %.1f ms, p99 %.1f ms", part(millis, 0.5), part(millis, 0.99));
        millis.clear();
        for (int i = 0; i < READS; i++) {
            long began = System.nanoTime();
            assertThat(staff.search("{\"tenant\": \"" + TENANT + "\"}").status())
                    .isEqualTo(200);
            millis.add(seconds(began) * 1000);
        }
        print("search with its checkpoint: p50 %.1f ms, p99 %.1f ms", part(millis, 0.5), part(millis, 0.99));
    }

    @Test
    void anErasedTenantHoldsUpNoOther() throws Exception {
        var staff = StaffClient.everything();
        var other = Asked.of(TENANT, "alice");
        var big = "big-" + System.nanoTime();
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(other, THOUGHT));
            bus.append(bus.whole(Asked.of(big, "alice"), THOUGHT));
            AuditTables.await(1, "trace_record where tenant = ? and log_index >= 0", big);
            AuditTables.await(1, "trace_record where response = ?", other.id().toString());
        }
        AuditTables.execute("""
            insert into data_key (id, tenant, subject_token, month, wrapped_key, created_at)
            select gen_random_uuid(), ?, sha256(number::text::bytea), '2026-01', sha256('key'), now()
            from generate_series(1, ?) number\
            """, big, KEYS);
        var asked = staff.post("/audit/v1/requests", """
            {"action": "erase-tenant", "tenant": "%s", "case_id": "C", "reason": "r"}\
            """.formatted(big));
        var alone = new ArrayList<Double>();
        read(staff, other, alone, () -> alone.size() >= READS);
        print("read: p50 %.1f ms, p99 %.1f ms, max %.1f ms", part(alone, 0.5), part(alone, 0.99), alone.getLast());
        var meanwhile = new ArrayList<Double>();
        long began = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var erasing = threads.submit(() -> staff.approved(asked));
            read(staff, other, meanwhile, erasing::isDone);
            assertThat(erasing.get().status()).as(erasing.get().text()).isEqualTo(200);
        }
        print(
                "tenant of %d keys erased in %.1f s; %d reads of another one meanwhile:"
                        + " p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                KEYS,
                seconds(began),
                meanwhile.size(),
                part(meanwhile, 0.5),
                part(meanwhile, 0.99),
                meanwhile.getLast());
        assertThat(AuditTables.count("data_key where tenant = ?", big)).isZero();
    }

    private static void read(StaffClient staff, Asked asked, List<Double> millis, BooleanSupplier enough) {
        do {
            long began = System.nanoTime();
            assertThat(staff.read(asked.id().toString()).status()).isEqualTo(200);
            millis.add(seconds(began) * 1000);
        } while (!enough.getAsBoolean());
    }

    private static double ingested(TestBus bus, List<Asked> all) {
        var signed = new ArrayList<byte[]>();
        for (int i = 0; i < RECORDS; i++) {
            all.add(Asked.of(TENANT, "user-" + i % 50));
            signed.add(bus.signed(bus.whole(all.getLast(), THOUGHT)));
        }
        var keys = all.subList(all.size() - RECORDS, all.size());
        long began = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < RECORDS; i++) {
                var key = keys.get(i).id().toString();
                var body = signed.get(i);
                threads.execute(() -> bus.append(Topic.AUDIT, key, body));
            }
        }
        print("appended after %.1f s", seconds(began));
        while (AuditTables.count("trace_record where tenant = ? and log_index >= 0", TENANT) < all.size()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return RECORDS / seconds(began);
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    private static double part(List<Double> millis, double part) {
        Collections.sort(millis);
        return millis.get((int) (millis.size() * part));
    }

    private static void print(String format, Object... figures) {
        System.out.println("AUDIT SPEED " + format.formatted(figures));
    }
}
