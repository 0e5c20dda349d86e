package dev.counterpoint.audit.accesslog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An action of staff, done or tried, for the access log.
///
/// @param actor the token's subject
/// @param tenant whose records were meant, or null for none in particular
/// @param response the record that was meant, or null
/// @param subjectToken the token of the subject that was meant, or null
/// @param caseId the case that the action belongs to, or null
/// @param reason in the actor's words, or null
/// @param records how many records the action concerned
/// @param detail the rest, such as the fields of a search; never content, never a subject's name
public record StaffAccess(
        String actor,
        Action action,
        Outcome outcome,
        @Nullable String tenant,
        @Nullable String response,
        byte @Nullable [] subjectToken,
        @Nullable String caseId,
        @Nullable String reason,
        int records,
        @Nullable String detail) {
    /// The kind of action. Names are in the log and never change.
    public enum Action {
        SEARCH,
        READ,
        /// Asks for an erasure, which another person may approve.
        REQUEST_ERASURE,
        CANCEL_ERASURE,
        ERASE,
        READ_RECEIPT,
        READ_ACCESS_LOG,
        /// A request without a valid token or role.
        ATTEMPT,
        /// A gateway showed a caller the raw reasoning of its own response.
        RAW_REASONING_SHOWN,
        /// An action that only a newer gateway knows.
        UNKNOWN;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The result of the action. Names are in the log and never change.
    public enum Outcome {
        GRANTED,
        /// There was nothing to see.
        EMPTY,
        /// The record's key was destroyed.
        ERASED,
        /// The record was changed outside this service, so nothing was shown.
        ALTERED,
        DENIED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// An access to nothing in particular.
    public static StaffAccess of(String actor, Action action, Outcome outcome) {
        return new StaffAccess(actor, action, outcome, null, null, null, null, null, 0, null);
    }

    public StaffAccess about(@Nullable String whoseTenant, @Nullable String whichResponse, byte @Nullable [] whom) {
        return new StaffAccess(
                actor, action, outcome, whoseTenant, whichResponse, whom, caseId, reason, records, detail);
    }

    public StaffAccess because(String whichCase, String why) {
        return new StaffAccess(actor, action, outcome, tenant, response, subjectToken, whichCase, why, records, detail);
    }

    public StaffAccess with(int howMany, @Nullable String more) {
        return new StaffAccess(actor, action, outcome, tenant, response, subjectToken, caseId, reason, howMany, more);
    }
}
