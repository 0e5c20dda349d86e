package dev.counterpoint.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.log.LogStatements;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.ActionRequests;
import dev.counterpoint.audit.requests.RequestedAction.Scan;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.persistence.EntityManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs approved scans, one at a time in each replica. The table `scan` says how far they are. A replica that ends
/// leaves its scan to another one or to its successor, which starts it again. Thread-safe.
@ApplicationScoped
public class ScanJobs {
    /// Of one scan.
    public static final int RECORDS_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ScanJobs.class);
    private static final int PAGE = 10;
    private static final int PAGE_SECONDS_MAX = 600;
    private static final int ATTEMPTS_MAX = 3;
    private static final String REQUEST = "request";
    private static final String OPENED_HASH = "opened_hash";
    private static final String FOUND = "found";
    private static final String FOUND_HASH = "found_hash";
    /// In place of a row that somebody wrote before.
    private static final String START = """
        insert into scan (request) values (?) on conflict (request) do update
            set owner = null, beat = null, attempts = 0, looked = 0, ended = false, found = null
        returning request\
        """;
    private static final String CLAIM = """
        update scan set owner = ?, beat = now(), attempts = attempts + 1, looked = 0 where request = (
            select request from scan where not ended and (beat is null or beat < now() - interval '60 seconds')
            order by started_at limit 1 for update skip locked)
        returning request, attempts\
        """;
    private static final String LOOKED =
            "update scan set looked = ?, beat = now() where request = ? and owner = ? and not ended returning request";
    private static final String END = "update scan set ended = true, found = ?"
            + " where request = ? and owner = ? and not ended returning request";

    private final ActionRequests requests;
    private final RecordStore records;
    private final AccessLogStore accessLog;
    private final EventStore events;
    private final TransactionRole role;
    private final LogStatements sql;
    private final String owner = UUID.randomUUID().toString();
    private volatile boolean stopping;

    ScanJobs(
            ActionRequests requests,
            RecordStore records,
            AccessLogStore accessLog,
            EventStore events,
            TransactionRole role,
            EntityManager entities) {
        this.requests = requests;
        this.records = records;
        this.accessLog = accessLog;
        this.events = events;
        this.role = role;
        sql = new LogStatements(entities);
    }

    private record Claim(String request, int attempts) {}

    /// Starts a scan. Needs the transaction that approves it.
    public void start(String request) {
        sql.rows(START, ScanJobs::id, request);
    }

    void stop(@Observes ShutdownEvent stop) {
        stopping = true;
    }

    @Scheduled(
            every = "1s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    void run() {
        try {
            for (var claim = claim(); claim.isPresent() && !stopping; claim = claim()) {
                run(claim.get());
            }
        } catch (RuntimeException e) {
            LOG.warn("a scan is tried again cause={}", SafeStackTrace.name(e));
        }
    }

    private Optional<Claim> claim() {
        return QuarkusTransaction.requiringNew().call(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            sql.rows("delete from scan where started_at < now() - interval '1 day' returning request", ScanJobs::id);
            return sql.rows(CLAIM, row -> new Claim(row.getString(1), row.getInt(2)), owner).stream()
                    .findFirst();
        });
    }

    private void run(Claim claim) {
        @Nullable ScanProgress progress = null;
        while (!stopping) {
            var known = progress;
            progress =
                    QuarkusTransaction.requiringNew().timeout(PAGE_SECONDS_MAX).call(() -> page(claim, known));
            if (progress == null) {
                return;
            }
        }
    }

    /// @param known null before the first page
    /// @return null at the end
    private @Nullable ScanProgress page(Claim claim, @Nullable ScanProgress known) {
        role.staff(TransactionRole.EVERY_TENANT);
        var request = requests.find(claim.request)
                .filter(found -> found.decision() != null)
                .orElse(null);
        if (request == null || !(request.action() instanceof Scan scan)) {
            end(claim.request, ""); // nobody asked for it
            return null;
        }
        if (request.grantedUntil().isEmpty() || claim.attempts > ATTEMPTS_MAX) {
            var cancelled = request.status() == ActionRequest.Status.CANCELLED;
            end(request, known, claim.attempts > ATTEMPTS_MAX ? "interrupted" : cancelled ? "cancelled" : "expired");
            return null;
        }
        var progress = known == null ? new ScanProgress(scan) : known;
        role.staff(scan.tenant());
        var last = records.visit(scan.records(request.askedAt()).below("seq", progress.before()), PAGE, progress::look);
        if (last.isEmpty()) {
            end(request, progress, "completed");
            return null;
        }
        progress.continueBefore(last.getAsLong());
        return sql.rows(LOOKED, ScanJobs::id, progress.looked(), claim.request, owner)
                        .isEmpty()
                ? null // another replica took the scan
                : progress;
    }

    private void end(ActionRequest request, @Nullable ScanProgress progress, String how) {
        var found = progress == null ? List.<String>of() : progress.found();
        var lines = String.join("\n", found);
        if (!end(request.id(), lines)) {
            return;
        }
        int opened = progress == null ? 0 : progress.opened();
        accessLog.write(StaffAccess.of(request.by().name(), Action.SCAN, opened == 0 ? Outcome.EMPTY : Outcome.GRANTED)
                .about(request.action().tenant(), null, null)
                .because(request.caseId(), request.reason())
                .with(opened, how)
                .member(REQUEST, request.id())
                .member(OPENED_HASH, progress == null ? null : progress.openedHash())
                .member(FOUND, found.size())
                .member(FOUND_HASH, hash(lines)));
    }

    /// @return whether this replica ended it
    private boolean end(String request, String found) {
        return !sql.rows(END, ScanJobs::id, found, request, owner).isEmpty();
    }

    /// What a scan found, or how far it is; null when it did not start. Needs an open transaction.
    ///
    /// @param ids whether to name the responses that it found
    public @Nullable ObjectNode result(ActionRequest request, boolean ids) {
        var row = sql
                .rows(
                        "select looked, coalesce(found, '') from scan where request = ?",
                        found -> Map.entry(found.getInt(1), found.getString(2)),
                        request.id())
                .stream()
                .findFirst();
        var end = events.current("request = ?1 and action = ?2", request.id(), Action.SCAN.wireName());
        var shown = JsonNodeFactory.instance.objectNode();
        if (end.isEmpty()) {
            return row.map(found -> shown.put("status", "running").put("looked", found.getKey()))
                    .orElse(null);
        }
        var body = end.getFirst().body();
        shown.put("status", body.path("detail").asText())
                .put("opened", body.path("records").asInt())
                .put(FOUND, body.path(FOUND).asInt())
                .put(OPENED_HASH, body.path(OPENED_HASH).asText(null));
        row.filter(_ -> ids && request.grantedUntil().isPresent())
                .map(Map.Entry::getValue)
                .ifPresent(lines -> {
                    if (hash(lines).equals(body.path(FOUND_HASH).asText())) {
                        lines.lines().forEach(shown.putArray("responses")::add);
                    } else {
                        shown.put("altered", true);
                    }
                });
        return shown;
    }

    private static String hash(String lines) {
        return HexFormat.of().formatHex(Commitment.to(lines.getBytes(UTF_8)));
    }

    private static String id(ResultSet row) throws SQLException {
        return row.getString(1);
    }
}
