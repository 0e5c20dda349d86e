package dev.counterpoint.audit.requests;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.log.Event;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Something that staff asked for. Its state comes from events of the log and from the time.
///
/// @param asked the event of asking
/// @param decision the event that decided it; null while there is none
public record ActionRequest(Event.Verified asked, RequestedAction action, Event.@Nullable Verified decision) {
    static final String EXPIRES_AT = "expires_at";
    static final String GRANTED_UNTIL = "granted_until";
    /// The subject's name, encrypted.
    public static final String SEALED = "sealed";
    /// What tells gateways whom an erasure means, encrypted.
    public static final String GATEWAY_TOKEN = "gateway_token";

    private static final String REASON = "reason";

    /// What became of a request.
    public enum Status {
        REQUESTED,
        /// Granted in an emergency; another person is to look at it.
        IN_REVIEW,
        APPROVED,
        CANCELLED,
        EXPIRED
    }

    public String id() {
        return asked.id();
    }

    public StaffPerson by() {
        return StaffPerson.of(asked.body());
    }

    public String caseId() {
        return asked.body().path("case_id").asText();
    }

    public String reason() {
        return asked.body().path(REASON).asText();
    }

    public Status status() {
        if (decision != null) {
            return decision.body().path("action").asText().equals(Action.CANCEL.wireName())
                    ? Status.CANCELLED
                    : Status.APPROVED;
        }
        if (emergency()) {
            return Status.IN_REVIEW;
        }
        var personIsGone = (action instanceof RequestedAction.Erase erase && erase.subjectToken() == null)
                || (action instanceof RequestedAction.Grant grant && grant.over());
        var expiresAt = Instant.parse(asked.body().path(EXPIRES_AT).asText());
        return personIsGone || !expiresAt.isAfter(Instant.now()) ? Status.EXPIRED : Status.REQUESTED;
    }

    public boolean open() {
        return status() == Status.REQUESTED || status() == Status.IN_REVIEW;
    }

    boolean emergency() {
        return action instanceof RequestedAction.Read read && read.emergency();
    }

    public Instant askedAt() {
        return Instant.ofEpochMilli(asked.body().path("at").asLong());
    }

    /// The end of its grant; empty when it grants nothing, or nothing any more.
    public Optional<Instant> grantedUntil() {
        boolean over = action instanceof RequestedAction.Grant grant && grant.over();
        return Optional.ofNullable(grantEnd())
                .map(Instant::parse)
                .filter(until -> !over && until.isAfter(Instant.now()));
    }

    private @Nullable String grantEnd() {
        var first = asked.body().path(GRANTED_UNTIL).asText(null);
        if (decision == null) {
            return first;
        }
        return status() == Status.CANCELLED
                ? null
                : decision.body().path(GRANTED_UNTIL).asText(first);
    }

    /// The encrypted name of the subject of an open request.
    public byte @Nullable [] sealedName() {
        return open() ? sealed(SEALED) : null;
    }

    /// Null where gateways cannot be told, and once the request is decided.
    public byte @Nullable [] sealedGatewayToken() {
        return sealed(GATEWAY_TOKEN);
    }

    private byte @Nullable [] sealed(String member) {
        var sealed = asked.personal().path(member);
        return sealed.isTextual() ? Base64.getDecoder().decode(sealed.asText()) : null;
    }

    /// What staff sees, but for the name of the subject.
    public ObjectNode shown() {
        var body = asked.body();
        var shown = JsonNodeFactory.instance.objectNode().put("id", id());
        ObjectNode members = ActionRequests.JSON.valueToTree(action);
        shown.set("action", members.remove(RequestedAction.ASKS));
        shown.put("status", status().name().toLowerCase(Locale.ROOT))
                .put("at", time(asked))
                .put("requested_by", by().name())
                .put("case_id", caseId())
                .put(REASON, reason())
                .put(EXPIRES_AT, body.path(EXPIRES_AT).asText())
                .put(GRANTED_UNTIL, grantEnd())
                .put("decided_at", decision == null ? null : time(decision))
                .put(
                        "decided_by",
                        decision == null ? null : decision.body().path("actor").asText())
                .put(
                        "decision_reason",
                        decision == null ? null : decision.body().path(REASON).asText(null));
        return shown.setAll(members);
    }

    private static String time(Event.Verified event) {
        return Instant.ofEpochMilli(event.body().path("at").asLong()).toString();
    }
}
