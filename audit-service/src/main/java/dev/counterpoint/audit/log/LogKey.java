package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.counterpoint.audit.keys.KeyService;
import dev.counterpoint.audit.store.TransactionRole;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The key under which this service marks the rows that it writes. The log takes no row without such a mark, so it
/// does not vouch for what somebody wrote into the database. The key stands in the database, wrapped by the root,
/// and is unwrapped once in a process. Thread-safe.
@ApplicationScoped
class LogKey {
    private static final int KEY_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] CONTEXT = "counterpoint audit log".getBytes(US_ASCII);

    private final KeyService root;
    private final LogTables tables;
    private final TransactionRole role;
    private volatile @Nullable SecretKeySpec key;

    LogKey(KeyService root, LogTables tables, TransactionRole role) {
        this.root = root;
        this.tables = tables;
        this.role = role;
    }

    /// The mark of a row.
    ///
    /// @param table of the row, so that a row of one never passes for one of another
    byte[] mac(String table, byte[] commitment) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key());
            mac.update((table + "\0").getBytes(US_ASCII));
            return mac.doFinal(commitment);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    boolean marked(String table, byte[] commitment, byte[] mac) {
        return MessageDigest.isEqual(mac, mac(table, commitment));
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
