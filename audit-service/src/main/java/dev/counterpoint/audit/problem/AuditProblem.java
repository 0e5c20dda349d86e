package dev.counterpoint.audit.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.servicekit.HeadFault;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.OutageClassifier;
import dev.counterpoint.servicekit.UnstorableText;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The error that a caller gets. All errors have this shape: `{"error": {"code", "message", "field", "rule"}}`.
///
/// @param status 400 to 599
/// @param code the kind of mistake, for programs
/// @param message for people; never holds content, a subject or a key
/// @param field the request's member at fault, or null
/// @param rule the rule that the member breaks, or null
/// @param headers what goes beside the body, such as `Retry-After`
public record AuditProblem(
        int status,
        String code,
        String message,
        @Nullable String field,
        @Nullable String rule,
        Map<String, String> headers)
        implements HttpProblem {
    /// Failures that become [#unavailable]: of the database, of the key service, and temporary ones.
    public static final OutageClassifier OUTAGES = OutageClassifier.DATABASE
            .orSqlStates(
                    "40", // deadlock, serialisation
                    "55P", // a lock is not to be had
                    "57") // cancelled
            .orParts();

    private static final String UNKNOWN_FIELD = "unknown_field";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long RETRY_AFTER_SECONDS = 2;

    public AuditProblem {
        headers = Map.copyOf(headers);
    }

    private record Body(Detail error) {}

    /// The members of an error.
    private record Detail(
            String code,
            String message,
            @Nullable String field,
            @Nullable String rule) {}

    public static AuditProblem missing(String field, String rule) {
        return new AuditProblem(400, "missing_field", "'" + field + "' is missing.", field, rule, Map.of());
    }

    public static AuditProblem invalid(String field, String rule) {
        return new AuditProblem(400, "invalid_field", "'" + field + "' is not valid.", field, rule, Map.of());
    }

    public static AuditProblem unknownField(String field) {
        return new AuditProblem(400, UNKNOWN_FIELD, "There is no field '" + field + "'.", field, null, Map.of());
    }

    /// A text that the database cannot hold and that no field rule refused.
    public static AuditProblem unstorable() {
        return new AuditProblem(400, "invalid_text", UnstorableText.MESSAGE, null, null, Map.of());
    }

    public static AuditProblem notJson() {
        return new AuditProblem(400, "invalid_json", "The body is not a JSON object.", null, null, Map.of());
    }

    /// The request's head cannot be served.
    public static AuditProblem head(HeadFault fault) {
        int status = fault == HeadFault.CONTENT_ENCODING ? 415 : 400;
        return new AuditProblem(status, "invalid_head", fault.message(), null, null, Map.of());
    }

    public static AuditProblem unauthenticated() {
        return new AuditProblem(
                401,
                "invalid_token",
                "Send a valid token of this service as 'Authorization: Bearer …'.",
                null,
                null,
                Map.of("WWW-Authenticate", "Bearer"));
    }

    public static AuditProblem forbidden() {
        return new AuditProblem(403, "missing_role", "The token has no role that allows this.", null, null, Map.of());
    }

    public static AuditProblem notFound(String what) {
        return new AuditProblem(404, "not_found", what + " does not exist.", null, null, Map.of());
    }

    public static AuditProblem erased() {
        return new AuditProblem(
                410,
                "erased",
                "The subject of this record was erased, or its retention ended; nobody can read it.",
                null,
                null,
                Map.of());
    }

    public static AuditProblem altered() {
        return new AuditProblem(
                500,
                "altered",
                "The record, or a key, is not as it was written; nothing of it is shown.",
                null,
                null,
                Map.of());
    }

    /// A record is read under a grant, and this person has none for it.
    public static AuditProblem grantRequired() {
        return new AuditProblem(
                403,
                "grant_required",
                "You have no grant to read this record; ask for one (POST /audit/v1/requests, action read).",
                null,
                "a grant that another person approved, or an emergency, runs",
                Map.of());
    }

    /// A person wants to approve their own request.
    public static AuditProblem secondPerson() {
        return new AuditProblem(
                403,
                "second_person",
                "You asked for this yourself.",
                null,
                "a request is approved by another person than the one who made it",
                Map.of());
    }

    /// A request that is approved, cancelled or expired.
    ///
    /// @param status the request's status
    public static AuditProblem notRequested(String status) {
        return new AuditProblem(
                409,
                "not_requested",
                "This request can no longer be decided: it is " + status + ".",
                null,
                "its status is 'requested'",
                Map.of());
    }

    /// Somebody else asked for this export.
    public static AuditProblem notRequester() {
        return new AuditProblem(403, "not_requester", "Another person asked for this export.", null, null, Map.of());
    }

    /// An export that is not approved, or not any more.
    public static AuditProblem notGranted() {
        return new AuditProblem(
                409,
                "not_granted",
                "This export is not approved, or its time is over.",
                null,
                "its status is 'approved', and 'granted_until' is not reached",
                Map.of());
    }

    /// An erasure in the tenant of an export, while that was written.
    public static AuditProblem erasedMeanwhile() {
        return new AuditProblem(
                409,
                "erased_meanwhile",
                "Somebody was erased while the export was written; download it again.",
                null,
                null,
                Map.of());
    }

    /// A hold covers records that somebody wants to erase.
    public static AuditProblem held(String caseId) {
        return new AuditProblem(
                409,
                "held",
                "Records are held for case " + caseId + "; nothing is erased.",
                null,
                "no hold that is not released covers what is erased",
                Map.of());
    }

    /// Somebody wants to erase what its class keeps.
    ///
    /// @param until the time when the last of it may go
    public static AuditProblem retentionMinimum(Instant until) {
        return new AuditProblem(
                409,
                "retention_minimum",
                "Retention keeps records of this until " + until + "; nothing is erased.",
                null,
                "the minimum of each record's class has passed, or the approval has 'override_retention': true",
                Map.of());
    }

    /// Events of the log are deleted or changed, so holds may be missing.
    public static AuditProblem eventsMissing() {
        return new AuditProblem(
                503,
                "events_missing",
                "Events of this tenant are missing in the database or were changed, so holds are not known; nothing is"
                        + " erased.",
                null,
                null,
                Map.of());
    }

    /// Erasures since then may be undone until two persons have confirmed their list.
    public static AuditProblem erasuresLost(Instant since) {
        return new AuditProblem(
                409,
                "erasures_lost",
                "This database was restored without the erasures since " + since + "; records stay closed until two"
                        + " persons have confirmed which they were (POST /audit/v1/requests, action confirm-erasures).",
                null,
                null,
                Map.of());
    }

    /// A restore lost events, holds perhaps, and no two persons have confirmed that these are placed again.
    ///
    /// @param from the first lost leaf
    /// @param to the one after the last
    public static AuditProblem holdsLost(long from, long to) {
        return new AuditProblem(
                409,
                "holds_lost",
                "A restore lost the rows of the leaves from " + from + " to before " + to
                        + ", holds perhaps; nothing is"
                        + " erased until two persons have confirmed that these are placed again (POST"
                        + " /audit/v1/requests, action confirm-restore).",
                null,
                null,
                Map.of());
    }

    /// Somebody lists lost erasures although none are lost.
    public static AuditProblem nothingLost() {
        return new AuditProblem(
                409, "nothing_lost", "Nothing is lost, or it is confirmed already.", null, null, Map.of());
    }

    /// A service that the answer needs does not respond. Nothing was shown.
    public static AuditProblem unavailable() {
        return new AuditProblem(
                503,
                "unavailable",
                "The access cannot be written down for the moment, so nothing is shown; try again shortly.",
                null,
                null,
                Map.of("Retry-After", Long.toString(RETRY_AFTER_SECONDS)));
    }

    /// The audit log is not the one that was published. Nothing was done, and nothing was shown.
    ///
    /// @param kind `rolled_back` or `forked`
    public static AuditProblem logFault(String kind) {
        return new AuditProblem(
                503,
                kind,
                "The database does not continue the audit log that was published, so nothing is shown.",
                null,
                null,
                Map.of());
    }

    /// This replica ends; another one answers. Nothing was shown.
    public static AuditProblem stopping() {
        return new AuditProblem(
                503,
                "unavailable",
                "This replica is stopping; try again.",
                null,
                null,
                Map.of("Retry-After", Long.toString(RETRY_AFTER_SECONDS)));
    }

    /// An internal error, without details, because these may contain secrets.
    public static AuditProblem serverError() {
        return new AuditProblem(500, "server_error", "The service had an error.", null, null, Map.of());
    }

    /// A form that was not made for the session that sends it.
    public static AuditProblem forgedForm() {
        return new AuditProblem(
                403, "forged_form", "This form is not of your session; open its page again.", null, null, Map.of());
    }

    /// A page's kept search or reason is gone.
    public static AuditProblem forgotten() {
        return new AuditProblem(
                410,
                "forgotten",
                "The console no longer has what this page is about; begin again.",
                null,
                null,
                Map.of());
    }

    /// A status that the framework decided.
    public static AuditProblem ofStatus(int status) {
        return new AuditProblem(status, "refused", "The request cannot be served like this.", null, null, Map.of());
    }

    /// Code and field, for the access log; no name that the caller made up.
    public String summary() {
        return field == null || code.equals(UNKNOWN_FIELD) ? code : code + " " + field;
    }

    @Override
    public byte[] json() {
        try {
            return JSON.writeValueAsBytes(new Body(new Detail(code, message, field, rule)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem can always be written", e);
        }
    }
}
