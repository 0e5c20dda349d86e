package dev.counterpoint.audit.requests;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What staff asks for. Each action is a record whose components are members of the request's event; names are in the
/// log and never change. Components in [#PERSONAL] go with the person.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = RequestedAction.ASKS)
@JsonSubTypes({
    @JsonSubTypes.Type(RequestedAction.Erase.class),
    @JsonSubTypes.Type(RequestedAction.EraseTenant.class),
    @JsonSubTypes.Type(RequestedAction.ConfirmErasures.class),
    @JsonSubTypes.Type(RequestedAction.ReleaseHold.class),
    @JsonSubTypes.Type(RequestedAction.Read.class),
    @JsonSubTypes.Type(RequestedAction.ConfirmRestore.class),
    @JsonSubTypes.Type(RequestedAction.Export.class),
    @JsonSubTypes.Type(RequestedAction.Scan.class)
})
@JsonIgnoreProperties(ignoreUnknown = true)
public sealed interface RequestedAction {
    String ASKS = "asks";
    List<String> PERSONAL = List.of("subject_token", "literals", "pattern");

    /// The tenant whose rows are concerned, or [TransactionRole#EVERY_TENANT].
    String tenant();

    /// Erases a subject.
    ///
    /// @param subjectToken hexadecimal; null once the request is decided
    @JsonTypeName("erase")
    record Erase(String tenant, @Nullable String subjectToken) implements RequestedAction {}

    /// Erases everybody of a tenant.
    @JsonTypeName("erase-tenant")
    record EraseTenant(String tenant) implements RequestedAction {}

    /// Confirms which erasures a restore lost.
    ///
    /// @param lostSince the time of the backup whose later erasures the receipts are
    /// @param receipts ids of the erasures that were made again
    @JsonTypeName("confirm-erasures")
    record ConfirmErasures(String tenant, String lostSince, List<String> receipts) implements RequestedAction {
        public ConfirmErasures(String lostSince, List<String> receipts) {
            this(TransactionRole.EVERY_TENANT, lostSince, receipts);
        }
    }

    /// Releases a hold.
    ///
    /// @param hold its id
    @JsonTypeName("release-hold")
    record ReleaseHold(String tenant, String hold) implements RequestedAction {}

    /// Confirms that the holds which a restore lost are placed again.
    ///
    /// @param restored id of the event that names the lost leaves
    /// @param from the first of them
    /// @param to the one after the last
    @JsonTypeName("confirm-restore")
    record ConfirmRestore(String tenant, String restored, long from, long to) implements RequestedAction {
        public ConfirmRestore(String restored, long from, long to) {
            this(TransactionRole.EVERY_TENANT, restored, from, to);
        }
    }

    /// Reads the record of a response for a while.
    ///
    /// @param emergency whether it is granted before anybody else looks at it
    @JsonTypeName("read")
    record Read(String tenant, String response, boolean emergency) implements RequestedAction {}

    /// What an approval allows for a while, with records of one tenant. Its personal components stay until then.
    sealed interface Grant extends RequestedAction {
        RecordFilter filter();

        /// Hexadecimal; null when no subject is meant, or once the grant or the person is gone.
        @Nullable
        String subjectToken();

        /// Whether the subject, or what to look for, is gone.
        default boolean over() {
            return filter().ofSubject() && subjectToken() == null;
        }

        /// The records that are meant, over the fields of a stored record: those that were there when somebody asked.
        default WhereClause records(Instant asked) {
            var token = subjectToken();
            return filter().where()
                    .equal("tenant", tenant())
                    .equal("subjectToken", token == null ? null : HexFormat.of().parseHex(token))
                    .is("1 = 1", !over())
                    .below("storedAt", asked);
        }
    }

    /// Lets who asked download records with their proofs.
    ///
    /// @param recipients keys of age for the encryption of the file
    /// @param forSubject whether the subject gets it: it names no staff
    @JsonTypeName("export")
    record Export(
            String tenant,
            @Nullable String subjectToken,
            RecordFilter filter,
            List<String> recipients,
            boolean forSubject)
            implements Grant {}

    /// Looks for texts in the content of records.
    ///
    /// @param literals any of these, or
    /// @param pattern this one of RE2
    @JsonTypeName("scan")
    record Scan(
            String tenant,
            @Nullable String subjectToken,
            RecordFilter filter,
            @Nullable List<String> literals,
            @Nullable String pattern)
            implements Grant {
        @Override
        public boolean over() {
            return (literals == null && pattern == null) || Grant.super.over();
        }

        /// Shows no text that is looked for.
        @Override
        public String toString() {
            return "Scan[tenant=" + tenant + "]";
        }
    }
}
