package dev.counterpoint.audit.keys;

import io.quarkus.panache.common.Parameters;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.LockModeType;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// The keys below the root: two for each tenant, and one for each tenant, subject and month. Every method needs an open
/// transaction. Keeps no key in memory; a cache of tenants' keys would have its place here, one of data keys nowhere.
@ApplicationScoped
public class EnvelopeKeys {
    private static final int KEY_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyService root;
    private final TenantKeyRepository tenants;
    private final DataKeyRepository keys;

    @Inject
    EnvelopeKeys(KeyService root, TenantKeyRepository tenants, DataKeyRepository keys) {
        this.root = root;
        this.tenants = tenants;
        this.keys = keys;
    }

    /// A subject's token with the key for what is written of it now.
    public record ForWriting(byte[] subjectToken, DataKey key) {}

    /// Finds or makes the key, and keeps others from destroying it until this transaction ends: what is written with it
    /// is either destroyed with it or under a newer one.
    public ForWriting forWriting(String tenant, DataSubject subject, YearMonth month) {
        var tenantKey = tenant(tenant).orElseGet(() -> newTenant(tenant));
        var token = tenantKey.token(subject);
        var row = keys.find(
                        "tenant = :tenant and subjectToken = :token and month = :month",
                        Parameters.with("tenant", tenant).and("token", token).and("month", month.toString()))
                .withLock(LockModeType.PESSIMISTIC_READ)
                .firstResultOptional()
                .orElseGet(() -> newKey(tenantKey, tenant, token, month));
        return new ForWriting(token, tenantKey.unwrap(row));
    }

    /// The token of a subject; empty when nothing was ever written of the tenant.
    public Optional<byte[]> token(String tenant, DataSubject subject) {
        return tenant(tenant).map(key -> key.token(subject));
    }

    /// A key for reading; empty when it was destroyed.
    ///
    /// @throws VaultException when it, or a key above it, was altered or moved
    public Optional<DataKey> find(String tenant, String id) {
        return keys.findByIdOptional(id).map(row -> {
            if (!row.tenant.equals(tenant)) {
                throw new EncryptionException("the data key " + id + " is another tenant's");
            }
            return tenant(tenant)
                    .orElseThrow(() -> new EncryptionException("the tenant's key is missing"))
                    .unwrap(row);
        });
    }

    /// Which of these keys are there.
    public Set<String> existing(Collection<String> ids) {
        return ids.isEmpty()
                ? Set.of()
                : new HashSet<>(keys.find("select id from DataKeyRow where id in ?1", ids)
                        .project(String.class)
                        .list());
    }

    /// Deletes all keys of a subject.
    ///
    /// @return their ids
    public List<String> destroy(String tenant, byte[] subjectToken) {
        var doomed = keys.find("tenant = ?1 and subjectToken = ?2 order by month", tenant, subjectToken)
                .withLock(LockModeType.PESSIMISTIC_WRITE)
                .list();
        doomed.forEach(keys::delete);
        return doomed.stream().map(row -> row.id).toList();
    }

    private Optional<TenantKeys> tenant(String tenant) {
        return tenants.findByIdOptional(tenant)
                .map(row -> new TenantKeys(
                        root.unwrap(row.wrappedKey, context(tenant, "wrapping")),
                        root.unwrap(row.wrappedSearchKey, context(tenant, "search"))));
    }

    private TenantKeys newTenant(String tenant) {
        var key = random();
        var search = random();
        tenants.persist(new TenantKeyRow(
                tenant,
                root.wrap(key, context(tenant, "wrapping")),
                root.wrap(search, context(tenant, "search")),
                now()));
        return new TenantKeys(key, search);
    }

    private DataKeyRow newKey(TenantKeys tenantKey, String tenant, byte[] token, YearMonth month) {
        var row = new DataKeyRow();
        row.id = UUID.randomUUID().toString();
        row.tenant = tenant;
        row.subjectToken = token;
        row.month = month.toString();
        row.createdAt = now();
        row.wrappedKey = tenantKey.wrap(random(), row);
        keys.persist(row);
        return row;
    }

    private static byte[] context(String tenant, String purpose) {
        return new CanonicalEncoder("tenant-key-1").text(tenant).text(purpose).toBytes();
    }

    private static byte[] random() {
        var key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return key;
    }

    /// As exact as the database keeps it.
    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
