package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.store.StoredResponses;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes endings into rows, and waits for those that others write, also through an outage of the database: half a
/// minute is worth waiting for, because who
/// reads the response right after its stream must find it; then the client gets its answer and the row comes later.
/// Thread-safe.
@ApplicationScoped
public class TurnRows {
    private static final Logger LOG = LoggerFactory.getLogger(TurnRows.class);

    /// Time that an ending waits for its row before clients hear of it without the row, replays included.
    public static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static final Duration LATER_MAX = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration LONG_PAUSE = Duration.ofSeconds(10);
    private static final Duration FIRST_LOOK = Duration.ofMillis(5);
    private static final Duration LAST_LOOK = Duration.ofMillis(250);
    /// Endings that are made at once. As JSON one may take twenty times its answer's room, and as much again on
    /// its way into the database; so a large one is also written within its turn.
    private static final int AT_ONCE_MAX = 2;

    private static final int LARGE = 256 * 1024;
    private static final Duration TURN_MAX = Duration.ofSeconds(5);

    private final StoredResponses responses;
    private final UsageCharges charges;
    private final GatewayConfig config;
    private final Semaphore turns = new Semaphore(AT_ONCE_MAX, true);

    TurnRows(StoredResponses responses, UsageCharges charges, GatewayConfig config) {
        this.responses = responses;
        this.charges = charges;
        this.config = config;
    }

    /// The ending that is written into a row.
    ///
    /// @param status OpenAI's word
    /// @param json makes the response, when it is written, without raw reasoning, and without sealed reasoning
    ///     where it answers its turn; the same each time
    /// @param answered ids of responses whose turn this ending answers, so that they lose their sealed reasoning;
    ///     empty while the turn is open
    /// @param request what the log knows of the request, should the row be lost
    public record Last(
            String id,
            String tenant,
            String status,
            Supplier<String> json,
            List<String> answered,
            Supplier<KnownRequest> request) {
        private static final KnownRequest NOTHING = new KnownRequest("[]", null);

        public Last(String id, String tenant, String status, Supplier<String> json, List<String> answered) {
            this(id, tenant, status, json, answered, () -> NOTHING);
        }

        /// Of a turn that stays open, or that keeps no sealed reasoning.
        public Last(String id, String tenant, String status, Supplier<String> json) {
            this(id, tenant, status, json, List.of());
        }

        /// The same ending with what the log knows of its request.
        public Last of(Supplier<KnownRequest> known) {
            return new Last(id, tenant, status, json, answered, known);
        }

        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Last[id=" + id + "]";
        }
    }

    /// A request as its response's log tells it, which is without the input.
    ///
    /// @param inputItemsJson as a row keeps it
    /// @param previousResponseId the response it builds upon, or null
    public record KnownRequest(
            String inputItemsJson, @Nullable String previousResponseId) {}

    /// Writes the row, charges what it cost, and ends the turn's sealed reasoning, all or nothing. Gateways
    /// that bring the same turn to its end charge once, because the charge hangs on the first ending. A row
    /// that its tenant has deleted counts as written; one that the database has lost is made from what the
    /// log says.
    ///
    /// Returns when it is on record, or after half a minute; then it is tried further in the background.
    ///
    /// @param with what else the first ending writes, in its transaction; null for nothing
    /// @param written run once when it is on record
    public void finish(Last last, UsageCharges.Bill bill, @Nullable Runnable with, Runnable written) {
        write(last.id, WAIT_MAX, () -> {
            inTurn(last, json -> record(last, json, bill, with));
            written.run();
        });
    }

    /// One statement, where nothing but the ending is to be written.
    private void record(Last last, String json, UsageCharges.Bill bill, @Nullable Runnable with) {
        var ending = new StoredResponses.Ending(last.id, last.status, json, last.answered);
        if (with != null || !charges.book(bill, ending)) {
            QuarkusTransaction.requiringNew().run(() -> finish(last, json, bill, with));
        }
    }

    private void inTurn(Last last, Consumer<String> write) {
        awaitTurn();
        boolean holds = true;
        try {
            var json = last.json.get();
            if (json.length() < LARGE) {
                turns.release();
                holds = false;
            }
            write.accept(json);
        } finally {
            if (holds) {
                turns.release();
            }
        }
    }

    private void awaitTurn() {
        try {
            if (!turns.tryAcquire(TURN_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("large endings are being written");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void finish(Last last, String json, UsageCharges.Bill bill, @Nullable Runnable with) {
        if (responses.finish(last.id, last.tenant, last.status, json) || restored(last, bill, json)) {
            charges.book(bill);
            if (with != null) {
                with.run();
            }
        }
        if (!last.answered.isEmpty()) {
            responses.forgetSealed(last.answered, last.tenant);
        }
    }

    /// A deletion leaves a tombstone, so a row that is not there was lost: a database that failed over may forget
    /// what it had. What no worker ended may never have had a row.
    private boolean restored(Last last, UsageCharges.Bill bill, String json) {
        var id = TurnIds.parse(last.id);
        if (bill.used().tokens() == null || id.isEmpty() || responses.exists(last.id, last.tenant)) {
            return false;
        }
        var request = last.request.get();
        var accepted = Instant.ofEpochMilli(id.get().acceptedAtMillis());
        var row = new StoredResponses.NewRow(
                last.id,
                bill.caller().owner(),
                bill.caller().key(),
                accepted,
                bill.used().model(),
                false,
                true,
                request.previousResponseId,
                request.inputItemsJson,
                accepted.plus(config.storedResponseRetention()),
                null,
                null);
        boolean restored = responses.restore(row) && responses.finish(last.id, last.tenant, last.status, json);
        if (restored) {
            LOG.error("responseId={} row=lost restored=without-its-input", last.id);
        }
        return restored;
    }

    /// The state of a row after a wait for its ending.
    public sealed interface Outcome {
        /// It says how the response ended.
        ///
        /// @param json the response without raw reasoning
        record Written(String json) implements Outcome {}

        /// Its tenant deleted it, or it has expired.
        record Gone() implements Outcome {}

        /// Nobody wrote it in time, or the database was away.
        record Late() implements Outcome {}
    }

    /// Waits until the row of a turn has its ending, but not for longer than the gateway that runs the turn waits.
    public void await(String id, String tenant) {
        try {
            var _ = await(id, tenant, WAIT_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for an ending that another gateway or thread writes. Looks at least once.
    public Outcome await(String id, String tenant, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        var pause = FIRST_LOOK;
        while (true) {
            var outcome = look(id, tenant);
            if (!(outcome instanceof Outcome.Late) || System.nanoTime() >= deadline) {
                return outcome;
            }
            Thread.sleep(pause); // the pace of asking again; nothing depends on it
            pause = pause.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
        }
    }

    private Outcome look(String id, String tenant) {
        try {
            var row = responses.findOfTenant(id, tenant);
            if (row.isEmpty()) {
                return new Outcome.Gone();
            }
            var json = row.get().responseJson();
            return json == null ? new Outcome.Late() : new Outcome.Written(json);
        } catch (RuntimeException e) {
            LOG.debug("responseId={} row=not-read error={}", id, e.getClass().getName());
            return new Outcome.Late();
        }
    }

    /// Takes the sealed reasoning out of the rows of a turn that a response without a row has answered. Nobody waits
    /// for it.
    public void forget(String id, List<String> answered, String tenant) {
        later(id, () -> responses.forgetSealed(answered, tenant));
    }

    /// Writes what else must be on record before a client hears of the end of its response: returns when it is, or
    /// after half a minute; then it is tried further in the background.
    ///
    /// @param id of the response, for the log
    /// @param write may run several times
    public void finish(String id, Runnable write) {
        write(id, WAIT_MAX, write);
    }

    /// Writes what nobody waits for.
    ///
    /// @param id of the response, for the log
    /// @param write may run several times
    public void later(String id, Runnable write) {
        write(id, Duration.ZERO, write);
    }

    private static void write(String id, Duration wait, Runnable write) {
        if (!tryFor(id, write, wait, PAUSE)) {
            LOG.warn("responseId={} row=late", id);
            Thread.ofVirtual().name("row-" + id).start(() -> tryFor(id, write, LATER_MAX, LONG_PAUSE));
        }
    }

    private static boolean tryFor(String id, Runnable write, Duration atMost, Duration pause) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            try {
                write.run();
                return true;
            } catch (RuntimeException e) {
                LOG.debug(
                        "responseId={} row=not-written error={}",
                        id,
                        e.getClass().getName());
            }
            if (System.nanoTime() >= deadline) {
                return false;
            }
            try {
                Thread.sleep(pause); // the pace of asking again; nothing depends on it
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
