package dev.counterpoint.audit.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The keys below the root: two for each tenant, and one for each tenant, subject and month. Every method needs an open
/// transaction. Tenants' keys stay in memory for a minute and are used only while their row exists unchanged. Data keys
/// are never cached, because a deleted one must be gone at once.
@ApplicationScoped
public class EnvelopeKeys {
    private static final int KEY_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyService root;
    private final TenantKeyRepository tenants;
    private final DataKeyRepository keys;
    private final TransactionRole role;
    private final Map<Wrapped, TenantKeys> unwrapped = new ConcurrentHashMap<>();

    EnvelopeKeys(KeyService root, TenantKeyRepository tenants, DataKeyRepository keys, TransactionRole role) {
        this.role = role;
        this.root = root;
        this.tenants = tenants;
        this.keys = keys;
    }

    /// A tenant's keys as the database holds them: wrapped by the root, so that nobody without it can use them.
    public record WrappedTenantKeys(byte[] key, byte[] searchKey, long createdAtMillis) {}

    /// The row of a tenant's keys; a new or changed row is unwrapped again.
    private record Wrapped(String tenant, ByteBuffer key, ByteBuffer searchKey) {}

    @Scheduled(every = "60s")
    void forget() {
        unwrapped.clear();
    }

    /// The tokens of subjects; makes the tenant's keys where the tenant has none.
    public List<byte[]> tokensForWriting(String tenant, List<DataSubject> subjects) {
        var tenantKeys = tenant(tenant)
                .or(() -> {
                    role.makingKeys(tenant);
                    return tenant(tenant);
                })
                .orElseGet(() -> newTenant(tenant));
        return subjects.stream().map(tenantKeys::token).toList();
    }

    /// The keys of a tenant that has some.
    public WrappedTenantKeys wrapped(String tenant) {
        var row = tenants.findById(tenant);
        return new WrappedTenantKeys(row.wrappedKey, row.wrappedSearchKey, row.createdAt.toEpochMilli());
    }

    /// The same keys, wrapped by the current version of the root.
    ///
    /// @throws EncryptionException when they were altered or are another tenant's
    public WrappedTenantKeys wrappedAnew(String tenant, WrappedTenantKeys wrapped) {
        return new WrappedTenantKeys(
                wrappedAnew(wrapped.key, context(tenant, "wrapping")),
                wrappedAnew(wrapped.searchKey, context(tenant, "search")),
                wrapped.createdAtMillis);
    }

    private byte[] wrappedAnew(byte[] key, byte[] context) {
        return root.describe().current().wrapped(key) ? key : root.wrap(root.unwrap(key, context), context);
    }

    /// Gives a tenant its keys again, unless it has some.
    public void restoreTenant(String tenant, WrappedTenantKeys wrapped) {
        if (tenants.findByIdOptional(tenant).isEmpty()) {
            var row = new TenantKeyRow();
            row.tenant = tenant;
            row.wrappedKey = wrapped.key;
            row.wrappedSearchKey = wrapped.searchKey;
            row.createdAt = Instant.ofEpochMilli(wrapped.createdAtMillis);
            tenants.persistAndFlush(row);
        }
    }

    /// A data key of a tenant.
    ///
    /// @param subjectToken of [#tokensForWriting], hexadecimal
    /// @param month such as `2026-11`, in UTC
    public record KeyName(String subjectToken, String month) {
        private KeyName(DataKeyRow row) {
            this(HexFormat.of().formatHex(row.subjectToken), row.month);
        }

        private byte[] token() {
            return HexFormat.of().parseHex(subjectToken);
        }
    }

    /// Finds or makes keys. They must not outlive the transaction: [TransactionRole] blocks erasures until its end.
    public Function<KeyName, DataKey> forWriting(String tenant, Set<KeyName> names) {
        var rows = rows(tenant, names);
        if (!rows.keySet().containsAll(names)) {
            role.makingKeys(tenant);
            rows.putAll(rows(tenant, names));
        }
        var tenantKeys = known(tenant);
        names.forEach(name -> rows.computeIfAbsent(name, _ -> newDataKey(tenantKeys, tenant, name)));
        return name -> tenantKeys.unwrap(Objects.requireNonNull(rows.get(name)));
    }

    private Map<KeyName, DataKeyRow> rows(String tenant, Set<KeyName> names) {
        return keys.stream(
                        "tenant = ?1 and subjectToken in ?2 and month in ?3",
                        tenant,
                        names.stream().map(KeyName::token).toList(),
                        names.stream().map(KeyName::month).distinct().toList())
                .collect(Collectors.toMap(KeyName::new, row -> row));
    }

    /// Whether anything was ever stored of a tenant.
    public boolean knows(String tenant) {
        return tenants.findByIdOptional(tenant).isPresent();
    }

    /// The token of a subject; empty when the tenant has no record.
    public Optional<byte[]> token(String tenant, DataSubject subject) {
        return tenant(tenant).map(key -> key.token(subject));
    }

    /// A key for reading; empty when the key was destroyed. The token names the partition of the key.
    ///
    /// @throws EncryptionException when the key, or a key above it, was altered or moved
    public Optional<DataKey> find(String tenant, byte[] subjectToken, String id) {
        return keys.find("subjectToken = ?1 and id = ?2", subjectToken, id)
                .firstResultOptional()
                .map(row -> {
                    if (!row.tenant.equals(tenant)) {
                        throw new EncryptionException("the data key " + id + " is another tenant's");
                    }
                    return known(tenant).unwrap(row);
                });
    }

    /// Encrypts the name of a subject for the request that means it.
    public byte[] sealName(String tenant, String request, String name) {
        return known(tenant).seal(name.getBytes(UTF_8), nameContext(request));
    }

    /// @throws EncryptionException when the name was altered or is another request's
    public String openName(String tenant, String request, byte[] sealed) {
        return new String(known(tenant).open(sealed, nameContext(request)), UTF_8);
    }

    private static byte[] nameContext(String request) {
        return new CanonicalEncoder("erasure-request-subject").text(request).toBytes();
    }

    private TenantKeys known(String tenant) {
        return tenant(tenant).orElseThrow(() -> new EncryptionException("the tenant's key is missing"));
    }

    /// Which of these keys are there.
    public Set<String> present(Collection<byte[]> subjectTokens, Collection<String> ids) {
        return ids.isEmpty()
                ? Set.of()
                : keys.stream("subjectToken in ?1 and id in ?2", subjectTokens, ids)
                        .map(row -> row.id)
                        .collect(Collectors.toSet());
    }

    /// Deletes all keys of a subject.
    ///
    /// @return their ids
    public List<String> destroy(String tenant, byte[] subjectToken) {
        var doomed = keys.find("tenant = ?1 and subjectToken = ?2 order by month", tenant, subjectToken)
                .list();
        keys.delete("tenant = ?1 and subjectToken = ?2", tenant, subjectToken);
        return doomed.stream().map(row -> row.id).toList();
    }

    /// Deletes all keys of a tenant, its own too: nobody computes the token of a name any more.
    ///
    /// @return how many records' keys they were
    public long destroyTenant(String tenant) {
        long destroyed = keys.delete("tenant", tenant);
        tenants.delete("tenant", tenant);
        return destroyed;
    }

    /// Deletes these keys.
    public void destroy(Collection<byte[]> subjectTokens, Collection<String> ids) {
        keys.delete("subjectToken in ?1 and id in ?2", subjectTokens, ids);
    }

    /// Deletes the keys of a subject that were made until then.
    public void destroyUntil(String tenant, byte[] subjectToken, Instant until) {
        keys.delete("tenant = ?1 and subjectToken = ?2 and createdAt <= ?3", tenant, subjectToken, until);
    }

    private Optional<TenantKeys> tenant(String tenant) {
        return tenants.findByIdOptional(tenant)
                .map(row -> unwrapped.computeIfAbsent(
                        new Wrapped(tenant, ByteBuffer.wrap(row.wrappedKey), ByteBuffer.wrap(row.wrappedSearchKey)),
                        _ -> new TenantKeys(
                                root.unwrap(row.wrappedKey, context(tenant, "wrapping")),
                                root.unwrap(row.wrappedSearchKey, context(tenant, "search")))));
    }

    private TenantKeys newTenant(String tenant) {
        var wrapping = random();
        var search = random();
        var row = new TenantKeyRow();
        row.tenant = tenant;
        row.wrappedKey = root.wrap(wrapping, context(tenant, "wrapping"));
        row.wrappedSearchKey = root.wrap(search, context(tenant, "search"));
        row.createdAt = RowTime.now();
        tenants.persist(row);
        return new TenantKeys(wrapping, search);
    }

    private DataKeyRow newDataKey(TenantKeys tenantKeys, String tenant, KeyName name) {
        var row = new DataKeyRow();
        row.id = UUID.randomUUID().toString();
        row.tenant = tenant;
        row.subjectToken = name.token();
        row.month = name.month;
        row.createdAt = RowTime.now();
        row.wrappedKey = tenantKeys.wrap(random(), row);
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
}
