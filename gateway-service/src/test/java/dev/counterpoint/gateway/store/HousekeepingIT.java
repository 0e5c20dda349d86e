package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.arc.All;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class HousekeepingIT {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final String suffix = "-" + UUID.randomUUID();
    private final List<String> ran = new ArrayList<>();

    @Inject
    Sql sql;

    @Inject
    @All
    List<HousekeepingTask> tasks;

    @Test
    void oneGatewayOfAllRunsATaskInAnInterval() throws Exception {
        // When
        housekeeping(new Noted("a")).runAll();
        housekeeping(new Noted("a"), new Noted("b")).runAll();

        // Then
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void theNextIntervalRunsItAgainThoughItsClocksDiffer() throws Exception {
        // Given
        housekeeping(new Noted("a")).runAll();
        sql.update(
                "update housekeeping_run set started_at = now() - interval '6 minutes' where task = ?", "a" + suffix);

        // When
        housekeeping(new Noted("a")).runAll();

        // Then
        assertThat(ran).containsExactly("a", "a");
    }

    @Test
    void aTaskThatFailsStopsNoOther() throws Exception {
        // When
        housekeeping(new Failing(), new Noted("b")).runAll();

        // Then
        assertThat(ran).containsExactly("b");
    }

    @Test
    void everyTaskHasANameOfItsOwnAndRuns() throws Exception {
        assertThat(tasks)
                .extracting(HousekeepingTask::name)
                .doesNotHaveDuplicates()
                .hasSize(13);

        for (var task : tasks) {
            if (task instanceof BatchTask batches) { // the other one asks the bus
                batches.run();
            }
        }
    }

    @Test
    void batchesGoOnUntilNoneIsLeftAndNoneIsLargerThanItMayBe() {
        // Given
        var left = new ArrayList<>(List.of(1, 2, 3, 4, 5));
        var sizes = new ArrayList<Integer>();

        // When
        new BatchTask("batches", 2, most -> {
                    var some = List.copyOf(left.subList(0, Math.min(most, left.size())));
                    left.removeAll(some);
                    sizes.add(some.size());
                    return some.size();
                })
                .run();

        // Then
        assertThat(sizes).containsExactly(2, 2, 1, 0);
    }

    @Test
    void rowsThatSomebodyHoldsAreLeftForTheNextRun() {
        // Given
        insertExpired("held");
        insertExpired("free");
        var delete = BatchTask.deleting("turn_reasoning", "tenant_id = 'tenant%s'".formatted(suffix), sql);

        // When
        QuarkusTransaction.requiringNew().run(() -> {
            sql.as(Sql.EVERY_TENANT)
                    .first(
                            String.class,
                            "select tool_call_id from turn_reasoning where tool_call_id = ? for update",
                            "held" + suffix);
            delete.run();
        });

        // Then
        assertThat(calls()).containsExactly("held" + suffix);
        delete.run();
        assertThat(calls()).isEmpty();
    }

    private List<String> calls() {
        return sql.as(Sql.EVERY_TENANT)
                .list(String.class, "select tool_call_id from turn_reasoning where tenant_id = ?", "tenant" + suffix);
    }

    private void insertExpired(String call) {
        sql.as(Sql.EVERY_TENANT)
                .update("insert into turn_reasoning values (?, ?, 'sealed', now())", "tenant" + suffix, call + suffix);
    }

    private Housekeeping housekeeping(HousekeepingTask... tasks) {
        return new Housekeeping(List.of(tasks), sql, INTERVAL);
    }

    private final class Noted implements HousekeepingTask {
        private final String name;

        Noted(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name + suffix;
        }

        @Override
        public void run() {
            ran.add(name);
        }
    }

    private final class Failing implements HousekeepingTask {
        @Override
        public String name() {
            return "failing" + suffix;
        }

        @Override
        public void run() {
            throw new IllegalStateException("on purpose");
        }
    }
}
