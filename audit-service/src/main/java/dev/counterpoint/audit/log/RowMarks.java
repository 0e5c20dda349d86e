package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.audit.keys.KeyService;
import dev.counterpoint.audit.keys.RootWrapped;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.Leaf;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Marks the rows that this service writes. The log refuses rows without such a mark, so it never vouches for rows that
/// others wrote. The key of the marks is in the database, wrapped by the root; a process unwraps it once. Thread-safe.
@ApplicationScoped
public class RowMarks implements RootWrapped {
    private static final int KEY_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] CONTEXT = "counterpoint audit log".getBytes(US_ASCII);

    private final KeyService root;
    private final LogTables tables;
    private final TransactionRole role;
    private volatile @Nullable SecretKeySpec key;

    RowMarks(KeyService root, LogTables tables, TransactionRole role) {
        this.root = root;
        this.tables = tables;
        this.role = role;
    }

    /// Marks a row that is about to be written.
    ///
    /// @param table of the row, and its id there, so that a row never passes for another
    /// @param text what the log will commit to
    public RowMark mark(String table, String id, String text) {
        var salt = Commitment.newSalt();
        return new RowMark(salt, mac(table, id, Commitment.to(salt, text)));
    }

    /// The ids of the rows that are unaltered and still have their leaf.
    public Set<String> unaltered(Collection<LoggedRow> rows) {
        var leaves = tables.leaves(
                rows.stream().map(LoggedRow::index).filter(Objects::nonNull).toList());
        return rows.stream()
                .filter(row -> row.index() == null ? marked(row) : unaltered(row, leaves.get(row.index())))
                .map(LoggedRow::id)
                .collect(Collectors.toSet());
    }

    boolean unaltered(LoggedRow row, byte @Nullable [] leaf) {
        return leaf != null
                && Leaf.read(leaf)
                        .filter(read -> Arrays.equals(read.commitment(), row.commitment()))
                        .isPresent()
                && marked(row);
    }

    boolean marked(LoggedRow row) {
        return MessageDigest.isEqual(row.mark().mac(), mac(row.table(), row.id(), row.commitment()));
    }

    private byte[] mac(String table, String id, byte[] commitment) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key());
            mac.update((table + "\0" + id + "\0").getBytes(UTF_8));
            return mac.doFinal(commitment);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public Map<String, Long> versions() {
        return tables.secret()
                .map(wrapped -> Map.of(KeyService.Version.header(wrapped), 1L))
                .orElse(Map.of());
    }

    @Override
    public Optional<String> wrapAnew(String after, int atMost) {
        tables.secret()
                .filter(wrapped -> !root.describe().current().wrapped(wrapped))
                .ifPresent(wrapped -> tables.replaceSecret(root.wrap(root.unwrap(wrapped, CONTEXT), CONTEXT)));
        return Optional.empty();
    }

    private SecretKeySpec key() {
        var known = key;
        if (known == null) {
            var wrapped = QuarkusTransaction.requiringNew().call(this::wrapped);
            known = new SecretKeySpec(root.unwrap(wrapped, CONTEXT), ALGORITHM);
            key = known;
        }
        return known;
    }

    private byte[] wrapped() {
        role.staff(TransactionRole.EVERY_TENANT);
        return tables.secret().orElseGet(() -> {
            var fresh = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(fresh);
            return tables.keepSecret(root.wrap(fresh, CONTEXT));
        });
    }
}
