package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.AuditSetting;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.tenancy.Quotas;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Gateways that bring the same turn to its end, in a real database.
@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class TurnRowsIT {
    private static final TurnEnding DONE = new TurnEnding.Complete(new End(End.Finish.STOP, 10, 0, 5, 2, 0));
    private static final int USED = 15;

    private final String tenant = Api.newTenant("\"tokens_per_day\":1000000");
    private final AtomicInteger written = new AtomicInteger();

    @Inject
    TurnRows rows;

    @Inject
    StoredResponses responses;

    private final TestSuperuser database = new TestSuperuser();

    @Test
    void whoeverFinishesATurnAtOnceItIsChargedOnce() throws Exception {
        // Given
        int owners = 8;
        int turns = 10;
        for (int turn = 0; turn < turns; turn++) {
            var id = accepted();
            // When
            finishAtOnce(id, owners);
            // Then
            assertThat(responses
                            .find(id, GatewayDatabase.defaultProject(tenant))
                            .orElseThrow()
                            .status())
                    .isEqualTo("completed");
        }
        assertThat(written).as("each may let go of the turn").hasValue(turns * owners);
        assertThat(charged()).isEqualTo((long) turns * USED);
    }

    @Test
    void aTurnThatItsTenantDeletedIsChargedOnceToo() {
        // Given
        var id = accepted();
        responses.delete(id, GatewayDatabase.defaultProject(tenant));
        // When
        finish(id);
        finish(id);
        // Then
        assertThat(charged()).isEqualTo(USED);
        assertThat(responses.find(id, GatewayDatabase.defaultProject(tenant))).isEmpty();
    }

    @Test
    @DisplayName("f6: a lost row is written from the log, and billed once")
    void aRowThatTheDatabaseLostIsWrittenAgainAndCharged() {
        // Given
        var id = accepted();
        database.createNativeMutationQuery("delete from response where id = :id")
                .setParameter("id", id)
                .executeUpdate();
        // When
        finish(id);
        finish(id);
        // Then
        var row = responses.find(id, GatewayDatabase.defaultProject(tenant)).orElseThrow();
        assertThat(row.status()).isEqualTo("completed");
        assertThat(row.responseJson()).isEqualTo("{}");
        assertThat(charged()).isEqualTo(USED);
        assertThat(written).hasValue(2);
    }

    @Test
    @DisplayName("f6: what no worker ended may never have had a row")
    void aResponseThatNeverHadARowGetsNone() {
        // Given
        var id = new TurnIds(ResponseId.create(System.currentTimeMillis(), 3)).response();
        var nobody = new UsageCharges.Bill(caller(tenant), new Quotas.Used(id, "gpt-oss", null));
        // When
        rows.finish(new TurnRows.Last(id, tenant, "cancelled", () -> "{}"), nobody, () -> {}, written::incrementAndGet);
        // Then
        assertThat(responses.exists(id, tenant)).isFalse();
        assertThat(written).hasValue(1);
    }

    @Test
    void ofLargeEndingsNoMoreThanTwoAreInMemoryAtOnce() throws Exception {
        // Given
        var large = "{\"text\":\"" + "x".repeat(300_000) + "\"}";
        var inMemory = new AtomicInteger();
        var most = new AtomicInteger();
        // When
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int ending = 0; ending < 12; ending++) {
                var id = accepted();
                var last = new TurnRows.Last(id, tenant, "completed", () -> {
                    most.accumulateAndGet(inMemory.incrementAndGet(), Math::max);
                    return large;
                });
                var _ = threads.submit(
                        () -> rows.finish(last, bill(id, tenant), inMemory::decrementAndGet, written::incrementAndGet));
            }
        }
        // Then
        assertThat(written).hasValue(12);
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void anEndingWithoutItsChargeIsNoEnding() throws Exception {
        // Given a charge that cannot be written, because nobody has this tenant
        var id = accepted("tenant_gone");
        var last = new TurnRows.Last(id, "tenant_gone", "completed", () -> "{}");
        var bill = bill(id, "tenant_gone");
        // When
        var thread = Thread.ofVirtual().start(() -> rows.finish(last, bill, () -> {}, written::incrementAndGet));
        boolean over = thread.join(Duration.ofSeconds(2));
        // Then
        assertThat(over).as("it is tried again").isFalse();
        assertThat(responses
                        .find(id, GatewayDatabase.defaultProject("tenant_gone"))
                        .orElseThrow()
                        .status())
                .isEqualTo(StoredResponses.IN_PROGRESS);
        assertThat(written).hasValue(0);
        thread.interrupt();
        thread.join();
    }

    private void finishAtOnce(String id, int owners) throws Exception {
        var start = new CyclicBarrier(owners);
        try (var threads = Executors.newFixedThreadPool(owners)) {
            var tasks = new ArrayList<>(IntStream.range(0, owners)
                    .<Callable<Boolean>>mapToObj(_ -> () -> {
                        start.await();
                        finish(id);
                        return true;
                    })
                    .toList());
            for (var task : threads.invokeAll(tasks)) {
                task.get();
            }
        }
    }

    private void finish(String id) {
        var last = new TurnRows.Last(id, tenant, "completed", () -> "{}", List.of(id));
        rows.finish(last, bill(id, tenant), () -> {}, written::incrementAndGet);
    }

    private static UsageCharges.Bill bill(String id, String tenant) {
        return UsageCharges.Bill.of(caller(tenant), TurnIds.parseResponse(id).orElseThrow(), "gpt-oss", DONE);
    }

    private static Caller caller(String tenant) {
        return new Caller(tenant, "default", "key-1", Set.of(), null, AuditSetting.NEVER, true);
    }

    private String accepted() {
        return accepted(tenant);
    }

    private String accepted(String whose) {
        var id = new TurnIds(ResponseId.create(System.currentTimeMillis(), 3)).response();
        var now = Instant.now();
        responses.restore(new StoredResponses.NewRow(
                id,
                GatewayDatabase.defaultProject(whose),
                "key-1",
                now,
                "gpt-oss",
                true,
                true,
                null,
                "[]",
                now.plusSeconds(3600),
                null,
                null));
        return id;
    }

    private long charged() {
        return database.createNativeQuery("""
                        select cast(coalesce(sum(used), 0) as bigint) from (
                            select day_tokens as used from quota where subject = :tenant
                            union all
                            select tokens from quota_due where tenant_id = :tenant) counted""", Long.class)
                .setParameter("tenant", tenant)
                .getSingleResult();
    }
}
