package dev.counterpoint.audit.records;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.log.Event;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.RequestedAction;
import dev.counterpoint.audit.requests.RequestedAction.ConfirmRestore;
import dev.counterpoint.audit.requests.RequestedAction.Erase;
import dev.counterpoint.audit.requests.RequestedAction.ReleaseHold;
import dev.counterpoint.audit.requests.StaffPerson;
import dev.counterpoint.audit.store.WhereClause;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Holds, as events of the log. An active hold prevents erasures of subjects whose records it covers. Methods need an
/// open transaction, and block erasures of the tenant until its end.
@ApplicationScoped
public class HoldStore {
    private static final String SUBJECT = "subject_token";
    private static final String CONVERSATION = "conversation";
    private static final String RESPONSE = "response";
    private static final String FROM = "accepted_from";
    private static final String TO = "accepted_to";
    private static final String TENANT = "tenant";
    private static final String HOLD = "hold";
    private static final String RESTORED = "restored";
    private static final int HOLDS_MAX = 100_000;

    private final EventStore events;
    private final RecordRepository records;
    private final AccessLogStore accessLog;

    HoldStore(EventStore events, RecordRepository records, AccessLogStore accessLog) {
        this.events = events;
        this.records = records;
        this.accessLog = accessLog;
    }

    /// What a hold covers in a tenant; one of its members, or both times.
    ///
    /// @param subjectToken hexadecimal
    public record Scope(
            String tenant,
            @Nullable String subjectToken,
            @Nullable String conversation,
            @Nullable String response,
            @Nullable Instant from,
            @Nullable Instant to) {
        /// The event that places a hold.
        public StaffAccess on(StaffAccess access) {
            access.about(
                            tenant,
                            response,
                            subjectToken == null ? null : HexFormat.of().parseHex(subjectToken))
                    .member(FROM, from == null ? null : from.toString())
                    .member(TO, to == null ? null : to.toString());
            if (conversation != null) {
                access.personal().put(CONVERSATION, conversation);
            }
            return access;
        }
    }

    /// A hold, and its release where that has happened.
    public record Hold(Event.Verified placed, Event.@Nullable Verified released) {
        public String tenant() {
            return placed.body().path(TENANT).asText();
        }

        public boolean active() {
            return released == null;
        }

        /// Whether it keeps a record that names its person.
        boolean keeps(RecordRow row) {
            var body = placed.body();
            var personal = placed.personal();
            if (personal.has(SUBJECT)) {
                return row.subjectToken != null
                        && personal.path(SUBJECT).asText().equals(HexFormat.of().formatHex(row.subjectToken));
            }
            if (personal.has(CONVERSATION)) {
                return personal.path(CONVERSATION).asText().equals(row.conversation);
            }
            return body.has(RESPONSE)
                    ? body.path(RESPONSE).asText().equals(row.response)
                    : !row.acceptedAt.isBefore(Instant.parse(body.path(FROM).asText()))
                            && row.acceptedAt.isBefore(
                                    Instant.parse(body.path(TO).asText()));
        }

        String caseId() {
            return placed.body().path("case_id").asText();
        }

        /// What staff sees.
        public ObjectNode shown() {
            var shown = JsonNodeFactory.instance
                    .objectNode()
                    .put("id", placed.id())
                    .put("status", active() ? "active" : "released")
                    .put("at", time(placed))
                    .put("placed_by", placed.body().path("actor").asText());
            for (var member : List.of(TENANT, RESPONSE, FROM, TO, "case_id", "reason")) {
                shown.put(member, placed.body().path(member).asText(null));
            }
            for (var member : List.of(SUBJECT, CONVERSATION)) {
                shown.put(member, placed.personal().path(member).asText(null));
            }
            return shown.put("released_at", released == null ? null : time(released))
                    .put(
                            "released_by",
                            released == null
                                    ? null
                                    : released.body().path("actor").asText());
        }

        private static String time(Event.Verified event) {
            return ErasureReceipt.time(event.body().path("at")).toString();
        }
    }

    public Optional<Hold> find(String id) {
        return holds(events.current("id = ?1 and action = ?2", id, Action.HOLD.wireName())).stream()
                .findFirst();
    }

    /// @return the holds, the last one first
    public List<Hold> newest(WhereClause wanted, int atMost) {
        var page = events.newest(wanted.equal("action", Action.HOLD.wireName()).equal("outcome", "granted"), atMost);
        return holds(page.stream()
                .filter(Event.Verified.class::isInstance)
                .map(Event.Verified.class::cast)
                .toList());
    }

    private List<Hold> holds(List<Event.Verified> placed) {
        if (placed.isEmpty()) {
            return List.of();
        }
        var tenants =
                placed.stream().map(event -> event.body().path(TENANT).asText()).collect(Collectors.toSet());
        var released = events.current("action = ?1 and tenant in ?2", Action.HOLD_RELEASED.wireName(), tenants).stream()
                .collect(Collectors.toMap(event -> event.body().path(HOLD).asText(), event -> event, (one, _) -> one));
        return placed.stream()
                .map(event -> new Hold(event, released.get(event.id())))
                .toList();
    }

    /// The case of a hold that keeps what an action erases. Any hold of a tenant keeps the whole tenant.
    public Optional<String> holding(RequestedAction action) {
        return active(action.tenant()).stream()
                .filter(hold -> !(action instanceof Erase erase) || covers(hold, erase))
                .map(Hold::caseId)
                .findFirst();
    }

    /// A restore that lost events, holds perhaps, and that no two persons have confirmed.
    public Optional<ConfirmRestore> unconfirmedRestore() {
        var confirmed = events.current("action = ?1", Action.RESTORE_CONFIRMED.wireName()).stream()
                .map(event -> event.body().path(RESTORED).asText())
                .collect(Collectors.toSet());
        return events.current("action = ?1", EventStore.RESTORED).stream()
                .filter(event -> !confirmed.contains(event.id()))
                .map(event -> new ConfirmRestore(
                        event.id(),
                        event.body().path("from").asLong(),
                        event.body().path("to").asLong()))
                .findFirst();
    }

    /// Confirms a restore as an approved request says it.
    public void confirm(ActionRequest request, ConfirmRestore action, StaffPerson approver) {
        accessLog.write(StaffAccess.of(approver.name(), Action.RESTORE_CONFIRMED, Outcome.GRANTED)
                .because(request.caseId(), request.reason())
                .member("request", request.id())
                .member(RESTORED, action.restored()));
    }

    /// Why nothing of a tenant may be destroyed: one of its holds may be lost by a restore, or deleted or changed in
    /// the
    /// database.
    public Optional<AuditProblem> uncertainty(String tenant) {
        var restore = unconfirmedRestore();
        if (restore.isPresent()) {
            return restore.map(lost -> AuditProblem.holdsLost(lost.from(), lost.to()));
        }
        boolean known = events.hasAll(tenant)
                && events
                        .newest(
                                new WhereClause().equal(TENANT, tenant).equal("action", Action.HOLD.wireName()),
                                HOLDS_MAX)
                        .stream()
                        .allMatch(Event.Verified.class::isInstance);
        return known ? Optional.empty() : Optional.of(AuditProblem.eventsMissing());
    }

    /// The holds of a tenant that are not released.
    List<Hold> active(String tenant) {
        return holds(events.current("tenant = ?1 and action = ?2", tenant, Action.HOLD.wireName())).stream()
                .filter(Hold::active)
                .toList();
    }

    private boolean covers(Hold hold, Erase erase) {
        var body = hold.placed.body();
        var personal = hold.placed.personal();
        if (personal.has(SUBJECT)) {
            return personal.path(SUBJECT).asText().equals(erase.subjectToken());
        }
        var subject = HexFormat.of().parseHex(Objects.requireNonNull(erase.subjectToken()));
        var covered = new WhereClause().equal(TENANT, erase.tenant()).equal("subjectToken", subject);
        if (personal.has(CONVERSATION)) {
            covered.equal(CONVERSATION, personal.path(CONVERSATION).asText());
        } else if (body.has(RESPONSE)) {
            covered.equal(RESPONSE, body.path(RESPONSE).asText());
        } else {
            covered.atLeast("acceptedAt", Instant.parse(body.path(FROM).asText()))
                    .below("acceptedAt", Instant.parse(body.path(TO).asText()));
        }
        return !covered.newest(records, 1).isEmpty();
    }

    /// Releases a hold as an approved request says it.
    public void release(ActionRequest request, ReleaseHold action, StaffPerson approver) {
        accessLog.write(StaffAccess.of(approver.name(), Action.HOLD_RELEASED, Outcome.GRANTED)
                .about(action.tenant(), null, null)
                .because(request.caseId(), request.reason())
                .with(0, "hold=" + action.hold())
                .member("request", request.id())
                .member(HOLD, action.hold()));
    }
}
