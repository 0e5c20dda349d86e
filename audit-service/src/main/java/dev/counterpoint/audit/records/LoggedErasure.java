package dev.counterpoint.audit.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.counterpoint.audit.keys.CanonicalEncoder;
import dev.counterpoint.audit.keys.EncryptionException;
import dev.counterpoint.audit.keys.EnvelopeKeys.WrappedTenantKeys;
import dev.counterpoint.audit.keys.KeyService;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An erasure as the topic `erasures` keeps it for ever: the receipt, and what a database needs that was restored
/// from before it. No content and no name of a subject. Only who holds the root keyset reads or writes one.
///
/// @param atMillis milliseconds since 1970; every response that was accepted until then is erased
/// @param requestedBy who asked for it, where that is another person; absent in entries of before
/// @param keyIds the destroyed keys, separated by blanks
/// @param tenantKeys without them a restored database would know the subject by another token
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
        WrappedTenantKeys tenantKeys) {
    private static final JsonMapper JSON = new JsonMapper();

    static LoggedErasure of(ErasureRow row, byte[] subjectToken, WrappedTenantKeys tenantKeys) {
        return new LoggedErasure(
                row.id,
                row.at.toEpochMilli(),
                row.completeAt.toEpochMilli(),
                row.actor,
                row.requestedBy,
                row.caseId,
                row.reason,
                row.tenant,
                subjectToken,
                row.keyIds,
                row.records,
                tenantKeys);
    }

    Instant at() {
        return Instant.ofEpochMilli(atMillis);
    }

    /// Sealed under the root keyset and bound to its id.
    byte[] encode(KeyService root) {
        try {
            return root.wrap(JSON.writeValueAsBytes(this), context(id));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an erasure can always be written", e);
        }
    }

    /// @throws MalformedMessageException when nobody with the root keyset wrote it under this id
    static LoggedErasure decode(String id, byte[] sealed, KeyService root) {
        try {
            return JSON.readValue(root.unwrap(sealed, context(id)), LoggedErasure.class);
        } catch (EncryptionException | IOException e) {
            throw new MalformedMessageException("no erasure of ours");
        }
    }

    ErasureRow row() {
        var row = new ErasureRow();
        row.id = id;
        row.at = at();
        row.completeAt = Instant.ofEpochMilli(completeAtMillis);
        row.actor = actor;
        row.requestedBy = requestedBy;
        row.caseId = caseId;
        row.reason = reason;
        row.tenant = tenant;
        row.subjectToken = subjectToken;
        row.keyIds = keyIds;
        row.records = records;
        return row;
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
