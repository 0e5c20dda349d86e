package dev.counterpoint.audit.keys;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A key service that is opened anew when it does not answer, or lacks a version: another replica may have been
/// started with a newer keyset, or a token has ended its session. Thread-safe.
final class ReopenedRoot implements KeyService {
    private static final Logger LOG = LoggerFactory.getLogger(ReopenedRoot.class);
    /// An altered row must not cost a login or a key derivation each time.
    private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final Supplier<KeyService> opener;
    private volatile KeyService opened;
    /// Guarded by this, as is the next one.
    private long openedNanos;
    /// A token locks itself after some wrong PINs, so none is given twice.
    private boolean refused;

    ReopenedRoot(Supplier<KeyService> opener) {
        this.opener = opener;
        opened = opener.get();
        openedNanos = System.nanoTime() - PAUSE_NANOS;
    }

    @Override
    public byte[] wrap(byte[] key, byte[] context) {
        return tried(service -> service.wrap(key, context));
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
        return tried(service -> service.unwrap(wrapped, context));
    }

    private byte[] tried(Function<KeyService, byte[]> call) {
        var used = opened;
        try {
            return call.apply(used);
        } catch (UnavailableException e) {
            if (reopened(used)) {
                return call.apply(opened);
            }
            throw e;
        }
    }

    /// Whether there is another one than was used.
    private synchronized boolean reopened(KeyService used) {
        if (opened == used && !refused && System.nanoTime() - openedNanos >= PAUSE_NANOS) {
            openedNanos = System.nanoTime();
            try {
                opened = opener.get();
                LOG.info("root keys are opened anew keys=\"{}\"", opened.describe());
            } catch (RuntimeException e) {
                refused = e instanceof EncryptionException;
                LOG.error("root keys do not open error=\"{}\"", e.getMessage());
            }
        }
        return opened != used;
    }

    @Override
    public Description describe() {
        return opened.describe();
    }
}
