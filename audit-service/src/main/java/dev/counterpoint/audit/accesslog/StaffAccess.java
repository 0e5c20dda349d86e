package dev.counterpoint.audit.accesslog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something that staff did or tried, to be written down.
///
/// @param actor the token's subject
/// @param tenant whose records were meant, or null for none in particular
/// @param response the record that was meant, or null
/// @param subjectToken whom it was about, or null
/// @param caseId the case that it belongs to, or null
/// @param reason in the actor's words, or null
/// @param records how many records it concerned
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
    /// What was done. Names are in the log and never change.
    public enum Action {
        SEARCH,
        READ,
        ERASE,
        READ_RECEIPT,
        READ_ACCESS_LOG,
        /// A request that no role or token allowed.
        ATTEMPT,
        /// By a gateway: a caller got the raw reasoning of its own response.
        RAW_REASONING_SHOWN,
        /// By a newer gateway.
        UNKNOWN;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What came of it. Names are in the log and never change.
    public enum Outcome {
        GRANTED,
        /// There was nothing to see.
        EMPTY,
        /// The record's key was destroyed.
        ERASED,
        /// The record is not as it was written, so nothing was shown.
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
