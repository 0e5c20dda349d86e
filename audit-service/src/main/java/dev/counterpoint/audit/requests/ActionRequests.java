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
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The requests of staff and who decided them, as events of the log: a row that somebody else wrote or changed is no
/// request and no decision. Methods need an open transaction. Thread-safe.
@ApplicationScoped
public class ActionRequests {
    static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final String REQUEST = "request";
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

    ActionRequests(EventStore events, AccessLogStore accessLog, TransactionRole role, AuditConfig config) {
        this.events = events;
        this.accessLog = accessLog;
        this.role = role;
        lifetime = config.requestLifetime();
    }

    /// The event that asks for an action; its id is the request's.
    ///
    /// @param name of the subject, encrypted, for who decides
    public StaffAccess asking(String id, StaffPerson by, RequestedAction action, byte @Nullable [] name) {
        var access = by.on(StaffAccess.of(by.name(), Action.REQUEST, Outcome.GRANTED))
                .member(REQUEST, id)
                .member(ActionRequest.EXPIRES_AT, RowTime.now().plus(lifetime).toString());
        JSON.convertValue(action, MEMBERS).forEach((member, value) -> {
            if (RequestedAction.PERSONAL.contains(member) && value != null) {
                access.personal().put(member, value);
            } else {
                access.member(member, value);
            }
        });
        if (name != null) {
            access.personal().put(ActionRequest.SEALED, Base64.getEncoder().encodeToString(name));
        }
        return access;
    }

    /// The event of a decision, or of a refused try. A decision takes the subject's name away ([#decided]).
    public StaffAccess deciding(ActionRequest request, StaffPerson by, Action action, Outcome outcome) {
        boolean takes = outcome == Outcome.GRANTED && request.asked().index() >= 0;
        return by.on(StaffAccess.of(by.name(), action, outcome))
                .about(request.action().tenant(), null, null)
                .member(REQUEST, request.id())
                .member(EventStore.COVERS, takes ? List.of(request.asked().index()) : null);
    }

    /// @param event id of the decision's event
    public void decided(ActionRequest request, String event) {
        events.takePersonal(List.of(request.asked()), event);
    }

    public Optional<ActionRequest> find(String id) {
        return of(events.current("request = ?1", id)).stream().findFirst();
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
        var ids = events
                .newest(
                        wanted.equal("action", Action.REQUEST.wireName())
                                .equal("outcome", Outcome.GRANTED.wireName())
                                .atLeast("at", open ? RowTime.now().minus(lifetime) : null)
                                .is(UNDECIDED, open ? true : null),
                        atMost)
                .stream()
                .map(Event::id)
                .toList();
        return ids.isEmpty() ? List.of() : of(events.current("request in ?1 order by seq desc", ids));
    }

    private static List<ActionRequest> of(List<Event.Verified> found) {
        var decisions = found.stream()
                .filter(event -> DECISIONS.contains(event.body().path("action").asText()))
                .filter(event -> !event.body().path("outcome").asText().equals(Outcome.DENIED.wireName()))
                .collect(Collectors.toMap(
                        event -> event.body().path(REQUEST).asText(),
                        event -> event,
                        // Of an approval and the erasure that it made, the first one has the reason.
                        (one, other) -> isErasure(one) ? other : one));
        return found.stream()
                .filter(event -> event.id().equals(event.body().path(REQUEST).asText()))
                .map(event -> new ActionRequest(event, action(event), decisions.get(event.id())))
                .toList();
    }

    private static boolean isErasure(Event.Verified event) {
        return event.body().path("action").asText().equals(Action.ERASE.wireName());
    }

    private static RequestedAction action(Event.Verified asked) {
        ObjectNode members = asked.body().deepCopy();
        return JSON.convertValue(members.setAll((ObjectNode) asked.personal()), RequestedAction.class);
    }

    /// Takes the names of subjects out of requests that expired.
    @Scheduled(
            every = "60s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    public void forgetNames() {
        QuarkusTransaction.requiringNew().run(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            var named = events.current("action = ?1 and personal is not null", Action.REQUEST.wireName()).stream()
                    .map(Event::id)
                    .toList();
            of(events.current("request in ?1", named)).stream()
                    .filter(request -> !request.open() && request.asked().index() >= 0)
                    .forEach(this::forgetName);
        });
    }

    private void forgetName(ActionRequest request) {
        var event = deciding(request, SERVICE, Action.REQUEST_CLOSED, Outcome.GRANTED);
        decided(request, accessLog.write(event));
    }
}
