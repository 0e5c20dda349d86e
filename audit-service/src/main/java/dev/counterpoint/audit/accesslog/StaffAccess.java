package dev.counterpoint.audit.accesslog;

import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.ErasedRows;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An action of staff, done or tried, as the audit log commits to it. Its methods add members and return it. Not
/// thread-safe.
///
/// @param plain never content, never a subject's name
/// @param personal what an erasure of a person may take away
public record StaffAccess(SortedMap<String, Object> plain, SortedMap<String, Object> personal) {
    /// The kind of action. Names are in the log and never change.
    public enum Action {
        SEARCH,
        READ,
        // Written by the version before.
        REQUEST_ERASURE,
        CANCEL_ERASURE,
        /// Asks for something, which another person may approve.
        REQUEST,
        /// Grants itself a reading, which another person looks at afterwards.
        EMERGENCY,
        APPROVE,
        CANCEL,
        /// A request expired, and its subject's name was deleted.
        REQUEST_CLOSED,
        READ_REQUEST,
        ERASE,
        /// The bytes of the keys that an erasure destroyed are gone from the database's files.
        PURGED,
        /// Retention ended: content and person are gone from the rows of the leaves that `covers` lists.
        RECORDS_PURGED,
        /// An erasure took the person out of the rows of the leaves that `covers` lists.
        PERSON_REMOVED,
        /// Keeps records from being erased.
        HOLD,
        HOLD_RELEASED,
        READ_HOLD,
        /// Two persons confirmed which erasures a restore lost.
        ERASURES_CONFIRMED,
        READ_RECEIPT,
        READ_ACCESS_LOG,
        /// A request without a valid token or role.
        ATTEMPT,
        /// A gateway showed a caller the raw reasoning of its own response.
        RAW_REASONING_SHOWN,
        /// The database was restored from a backup, without the rows of the leaves from `from` to before `to`.
        LOG_RESTORED,
        /// Two persons confirmed that the holds which a restore lost are placed again.
        RESTORE_CONFIRMED,
        READ_CONSENT,
        /// A download of an export.
        EXPORT,
        /// The end of a scan.
        SCAN,
        /// A tenant agreed that raw reasoning of its opted-in requests is kept.
        CONSENT_GIVEN,
        CONSENT_ENDED,
        /// A gateway attested the end of an opted-in response.
        RESPONSE_CLOSED,
        /// Gateways deleted what they stored of an erased person.
        ROWS_ERASED,
        // What the service found about a response (`findings` in the database).
        MISSING,
        UNCONFIRMED,
        DISPUTED,
        WITHHELD,
        CORRECTED,
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
        DENIED,
        /// The response is marked for review.
        FLAGGED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// An access to nothing in particular.
    ///
    /// @param actor the token's subject
    public static StaffAccess of(String actor, Action action, Outcome outcome) {
        return new StaffAccess(new TreeMap<>(), new TreeMap<>())
                .member("source", "audit")
                .member("at", System.currentTimeMillis())
                .member("actor", actor)
                .member("action", action.wireName())
                .member("outcome", outcome.wireName())
                .with(0, null);
    }

    /// What a gateway did.
    public static StaffAccess of(AccessEntry shown) {
        var action = switch (shown.action()) {
            case RAW_REASONING_SHOWN -> Action.RAW_REASONING_SHOWN;
            case RESPONSE_CLOSED -> Action.RESPONSE_CLOSED;
            case CONSENT_GIVEN -> Action.CONSENT_GIVEN;
            case CONSENT_ENDED -> Action.CONSENT_ENDED;
            case ROWS_ERASED -> Action.ROWS_ERASED;
            case UNKNOWN -> Action.UNKNOWN;
        };
        var did = of(shown.actor(), action, Outcome.GRANTED)
                .member("source", "gateway")
                .member("at", shown.atMillis())
                .about(shown.tenant(), shown.response().isEmpty() ? null : shown.response(), null)
                .with(1, null);
        return shown.erased() == null ? did : did.counting(shown.erased());
    }

    private StaffAccess counting(ErasedRows rows) {
        return with((int) Math.min(rows.total(), Integer.MAX_VALUE), null)
                .member("responses", rows.responses())
                .member("completions", rows.completions())
                .member("conversations", rows.conversations())
                .member("reasoning", rows.reasoning())
                .member("deliveries", rows.deliveries());
    }

    /// @param tenant whose records were meant, or null for none in particular
    /// @param response the record that was meant, or null
    /// @param subjectToken the token of the subject that was meant, or null
    public StaffAccess about(@Nullable String tenant, @Nullable String response, byte @Nullable [] subjectToken) {
        if (subjectToken != null) {
            personal.put("subject_token", HexFormat.of().formatHex(subjectToken));
        }
        return member("tenant", tenant).member("response", response);
    }

    /// @param caseId the case that the action belongs to
    /// @param reason in the actor's words
    public StaffAccess because(String caseId, String reason) {
        return member("case_id", caseId).member("reason", reason);
    }

    /// @param records how many records the action concerned
    /// @param detail the rest, such as the fields of a search
    public StaffAccess with(int records, @Nullable String detail) {
        return member("records", records).member("detail", detail);
    }

    /// @param value a text, a whole number, a flag or a list of these; null for none
    public StaffAccess member(String name, @Nullable Object value) {
        if (value != null) {
            plain.put(name, value);
        }
        return this;
    }

    String text(String name) {
        return String.valueOf(plain.get(name));
    }
}
