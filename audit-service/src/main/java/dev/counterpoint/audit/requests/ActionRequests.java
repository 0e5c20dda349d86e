package dev.counterpoint.audit.requests;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.log.Event;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.requests.RequestedAction.Grant;
import dev.counterpoint.audit.requests.RequestedAction.Read;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The requests of staff and who decided them, as events of the log: a row that somebody else wrote or changed is no
/// request and no decision. Methods need an open transaction. Thread-safe.
@ApplicationScoped
public class ActionRequests {
    static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final String REQUEST = "request";
    private static final Duration GRANT_MAX = Duration.ofHours(8);
    private static final String IN = "request in ?1";
    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};
    private static final StaffPerson SERVICE = new StaffPerson("audit-service", "", "");
    private static final Set<String> DECISIONS =
            Set.of(Action.APPROVE.wireName(), Action.CANCEL.wireName(), Action.ERASE.wireName());
    private static final String UNDECIDED = "id not in (select e.request from EventRow e where e.request is not null"
            + " and e.outcome <> 'denied' and e.action in ('approve', 'cancel', 'erase') and coalesce(e.seq, 0) >= 0)";

    private final EventStore events;
    private final AccessLogStore accessLog;
    private final TransactionRole role;
    private final Duration lifetime;
    private final Duration grantLifetime;

    ActionRequests(EventStore events, AccessLogStore accessLog, TransactionRole role, AuditConfig config) {
        this.events = events;
        this.accessLog = accessLog;
        this.role = role;
        lifetime = config.requestLifetime();
        grantLifetime = config.grantLifetime();
        if (grantLifetime.isNegative() || grantLifetime.compareTo(GRANT_MAX) > 0) {
            throw new IllegalArgumentException("audit.grant-lifetime is a duration from 0 to 8h");
        }
    }

    /// The event that asks for an action; its id is the request's.
    ///
    /// @param sealed encrypted members, deleted with the decision: [ActionRequest#SEALED] and
    ///     [ActionRequest#GATEWAY_TOKEN]
    public StaffAccess asking(String id, StaffPerson by, RequestedAction action, Map<String, byte[]> sealed) {
        boolean emergency = action instanceof Read read && read.emergency();
        var access = by.on(StaffAccess.of(by.name(), emergency ? Action.EMERGENCY : Action.REQUEST, Outcome.GRANTED))
                .member(REQUEST, id)
                .member(ActionRequest.EXPIRES_AT, RowTime.now().plus(lifetime).toString())
                .member(ActionRequest.GRANTED_UNTIL, emergency ? grantEnd() : null);
        JSON.convertValue(action, MEMBERS).forEach((member, value) -> {
            if (RequestedAction.PERSONAL.contains(member) && value != null) {
                access.personal().put(member, value);
            } else {
                access.member(member, value);
            }
        });
        sealed.forEach((member, bytes) ->
                access.personal().put(member, Base64.getEncoder().encodeToString(bytes)));
        return access;
    }

    private String grantEnd() {
        return RowTime.now().plus(grantLifetime).toString();
    }

    /// The event of a decision, or of a refused try. A decision deletes the personal part ([#decided]), except an
    /// approval that grants something which needs it.
    public StaffAccess deciding(ActionRequest request, StaffPerson by, Action action, Outcome outcome) {
        boolean granted = outcome == Outcome.GRANTED;
        boolean takes =
                granted && !keepsPersonal(request, action) && request.asked().index() >= 0;
        boolean grants = granted
                && action == Action.APPROVE
                && (request.action() instanceof Grant || (request.action() instanceof Read && !request.emergency()));
        return by.on(StaffAccess.of(by.name(), action, outcome))
                .about(request.action().tenant(), null, null)
                .member(REQUEST, request.id())
                .member(ActionRequest.GRANTED_UNTIL, grants ? grantEnd() : null)
                .member(EventStore.COVERS, takes ? List.of(request.asked().index()) : null);
    }

    private static boolean keepsPersonal(ActionRequest request, Action action) {
        return action == Action.APPROVE && request.action() instanceof Grant;
    }

    /// @param event id of the decision's event
    public void decided(ActionRequest request, Action action, String event) {
        if (!keepsPersonal(request, action)) {
            events.takePersonal(List.of(request.asked()), event);
        }
    }

    public Optional<ActionRequest> find(String id) {
        return of(events.current("request = ?1", id)).stream().findFirst();
    }

    /// The request whose grant lets a person read a record now.
    public Optional<ActionRequest> grant(StaffPerson person, String response) {
        var asked = ids(events.current("response = ?1 and action in ('request', 'emergency')", response));
        return of(events.current(IN, asked)).stream()
                .filter(request -> request.action() instanceof Read read
                        && read.response().equals(response)
                        && request.by().equals(person))
                .filter(request -> request.grantedUntil().isPresent())
                .findFirst();
    }

    /// The emergencies before a time without a review.
    List<ActionRequest> inReviewSince(Instant time) {
        var found = events.current("action = ?1 and at < ?2", Action.EMERGENCY.wireName(), time);
        return of(events.current(IN, ids(found))).stream()
                .filter(ActionRequest::open)
                .toList();
    }

    private static List<String> ids(List<? extends Event> events) {
        return events.stream().map(Event::id).toList();
    }

    /// Finds a request while nobody else decides or erases in its tenant, until the transaction ends.
    public Optional<ActionRequest> findForDecision(String id) {
        return find(id).flatMap(request -> {
            role.erasing(request.action().tenant());
            return find(id);
        });
    }

    /// @param open only those that somebody may still decide
    /// @return the requests, the last one first
    public List<ActionRequest> newest(WhereClause wanted, boolean open, int atMost) {
        var ids = ids(events.newest(
                wanted.in("action", List.of(Action.REQUEST.wireName(), Action.EMERGENCY.wireName()))
                        .equal("outcome", Outcome.GRANTED.wireName())
                        .atLeast("at", open ? RowTime.now().minus(lifetime) : null)
                        .is(UNDECIDED, open ? true : null),
                atMost));
        return ids.isEmpty() ? List.of() : of(events.current(IN + " order by seq desc", ids));
    }

    private static List<ActionRequest> of(List<Event.Verified> found) {
        var decisions = found.stream()
                .filter(event -> DECISIONS.contains(event.body().path("action").asText()))
                .filter(event -> !event.body().path("outcome").asText().equals(Outcome.DENIED.wireName()))
                .collect(Collectors.toMap(
                        event -> event.body().path(REQUEST).asText(),
                        event -> event,
                        // The approval has the reason, its erasure has not. Who cancels after an approval ends its
                        // grant.
                        (one, other) -> is(Action.ERASE, one) || is(Action.CANCEL, other) ? other : one));
        return found.stream()
                .filter(event -> event.id().equals(event.body().path(REQUEST).asText()))
                .map(event -> new ActionRequest(event, action(event), decisions.get(event.id())))
                .toList();
    }

    private static boolean is(Action action, Event.Verified event) {
        return event.body().path("action").asText().equals(action.wireName());
    }

    private static RequestedAction action(Event.Verified asked) {
        ObjectNode members = asked.body().deepCopy();
        return JSON.convertValue(members.setAll((ObjectNode) asked.personal()), RequestedAction.class);
    }

    /// Deletes the personal part of requests that expired, or whose grant ended.
    @Scheduled(
            every = "60s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    public void forgetNames() {
        QuarkusTransaction.requiringNew().run(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            var named = events.current("action = ?1 and personal is not null", Action.REQUEST.wireName());
            of(events.current(IN, ids(named))).stream()
                    .filter(request -> !request.open() && request.grantedUntil().isEmpty())
                    .filter(request -> request.asked().index() >= 0)
                    .forEach(this::forgetName);
        });
    }

    private void forgetName(ActionRequest request) {
        var event = deciding(request, SERVICE, Action.REQUEST_CLOSED, Outcome.GRANTED);
        decided(request, Action.REQUEST_CLOSED, accessLog.write(event));
    }
}
