package dev.counterpoint.audit.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.CanonicalEncoder;
import dev.counterpoint.audit.keys.EncryptionException;
import dev.counterpoint.audit.keys.EnvelopeKeys.WrappedTenantKeys;
import dev.counterpoint.audit.keys.KeyService;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An erasure as the topic `erasures` keeps it for ever: the receipt, and the data that an older, restored database
/// needs. It has no content and no subject's name. Only holders of the root keyset can read or write one.
///
/// @param atMillis milliseconds since 1970; every response that was accepted until then is erased
/// @param requestedBy who asked for it, where that is another person; absent in entries of before
/// @param subjectToken empty where the whole tenant is erased
/// @param keyIds the destroyed keys, separated by blanks; empty where the whole tenant is erased
/// @param tenantKeys keys without which a restored database would give the subject another token; null where they are
///     destroyed
/// @param tenantKeysDestroyed how many keys an erasure of the whole tenant destroyed
record LoggedErasure(
        String id,
        long atMillis,
        long completeAtMillis,
        String actor,
        @Nullable String requestedBy,
        String caseId,
        String reason,
        String tenant,
        byte[] subjectToken,
        String keyIds,
        long records,
        @Nullable WrappedTenantKeys tenantKeys,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long tenantKeysDestroyed) {
    static final String WHOLE_TENANT = "whole_tenant";
    /// The token that stands for everybody of a tenant.
    static final byte[] EVERYBODY = {};

    private static final JsonMapper JSON = new JsonMapper();

    Instant at() {
        return Instant.ofEpochMilli(atMillis);
    }

    LoggedErasure with(WrappedTenantKeys wrappedAnew) {
        return new LoggedErasure(
                id,
                atMillis,
                completeAtMillis,
                actor,
                requestedBy,
                caseId,
                reason,
                tenant,
                subjectToken,
                keyIds,
                records,
                wrappedAnew,
                tenantKeysDestroyed);
    }

    /// Sealed under the root keyset and bound to its id.
    byte[] encode(KeyService root) {
        try {
            return root.wrap(JSON.writeValueAsBytes(this), context(id));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an erasure can always be written", e);
        }
    }

    /// @throws MalformedMessageException when it was not sealed under this id with the root keyset
    static LoggedErasure decode(String id, byte[] sealed, KeyService root) {
        try {
            return JSON.readValue(root.unwrap(sealed, context(id)), LoggedErasure.class);
        } catch (EncryptionException | IOException e) {
            throw new MalformedMessageException("no erasure of ours");
        }
    }

    /// @param sealed of [#encode]
    ErasureRow row(byte[] sealed) {
        var row = new ErasureRow();
        row.id = id;
        row.at = at();
        row.tenant = tenant;
        row.subjectToken = subjectToken;
        row.purgedAt = destroyed() == 0 ? row.at : null;
        row.sealed = sealed;
        return row;
    }

    List<String> keys() {
        return keyIds.isEmpty() ? List.of() : List.of(keyIds.split(" "));
    }

    long destroyed() {
        return tenantKeysDestroyed == null ? keys().size() : tenantKeysDestroyed;
    }

    boolean wholeTenant() {
        return subjectToken.length == 0;
    }

    /// The event that is the erasure's receipt.
    StaffAccess event() {
        return StaffAccess.of(actor, Action.ERASE, destroyed() == 0 ? Outcome.EMPTY : Outcome.GRANTED)
                .member("at", atMillis)
                .about(tenant, null, null)
                .because(caseId, reason)
                .with(Math.toIntExact(records), "receipt=" + id)
                .member("request", id)
                .member("requested_by", requestedBy)
                .member(WHOLE_TENANT, wholeTenant() ? true : null)
                .member("keys", keys())
                .member("keys_destroyed", tenantKeysDestroyed)
                .member("complete_at", completeAtMillis);
    }

    /// Whether a row stands for this erasure.
    boolean means(ErasureRow row) {
        return tenant.equals(row.tenant) && Arrays.equals(subjectToken, row.subjectToken) && at().equals(row.at);
    }

    boolean covers(RecordRow record, Instant acceptedAt) {
        return tenant.equals(record.tenant)
                && (wholeTenant() || Arrays.equals(subjectToken, record.subjectToken))
                && !acceptedAt.isAfter(at());
    }

    private static byte[] context(String id) {
        return new CanonicalEncoder("erasure-log-1").text(id).toBytes();
    }

    /// Names nobody.
    @Override
    public String toString() {
        return "LoggedErasure[id=%s, tenant=%s]".formatted(id, tenant);
    }
}
