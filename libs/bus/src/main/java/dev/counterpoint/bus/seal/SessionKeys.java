package dev.counterpoint.bus.seal;

import com.google.crypto.tink.subtle.AesGcmJce;
import com.google.protobuf.ByteString;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keys that one process seals with for minutes, one for each role that reads: HPKE seals such a key once, and
/// AES-GCM seals each content under it. What is sealed carries the sealed key, so it opens by itself. A reader
/// keeps the keys that it has opened, for a while. Thread-safe.
final class SessionKeys implements ContentSealer {
    static final Duration LIFETIME = Duration.ofMinutes(5);
    /// Far below the number at which random nonces of AES-GCM repeat.
    static final int USES_MAX = 1 << 20;
    /// A reader forgets a key so long after it opened it: its writer has long taken another one.
    static final Duration OPENED_LIFETIME = Duration.ofMinutes(10);
    /// Keys that a reader keeps: more than a fleet has in use at a time.
    static final int OPENED_MAX = 1_024;

    private static final int KEY_BYTES = 32;
    /// What begins with it is a [BusProto.SessionSealed]; Tink begins its own with 1.
    private static final byte FIRST_BYTE = 1 << 3 | 2;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyRing keys;
    private final LongSupplier nanos;
    private final Map<ServiceRole, Session> sessions = new EnumMap<>(ServiceRole.class);
    /// The eldest first.
    private final Map<ByteString, Opened> opened = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, Opened> eldest) {
            return size() > OPENED_MAX;
        }
    };

    static final class Session {
        private final ByteString sealed;
        private final AesGcmJce cipher;
        private final long sinceNanos;
        private int uses;

        private Session(ByteString sealed, AesGcmJce cipher, long sinceNanos) {
            this.sealed = sealed;
            this.cipher = cipher;
            this.sinceNanos = sinceNanos;
        }
    }

    private record Opened(AesGcmJce cipher, long sinceNanos) {}

    /// @param nanos as [System#nanoTime]
    SessionKeys(KeyRing keys, LongSupplier nanos) {
        this.keys = keys;
        this.nanos = nanos;
    }

    static boolean sealed(byte[] content) {
        return content.length > 0 && content[0] == FIRST_BYTE;
    }

    @Override
    public byte[] sealFor(ServiceRole reader, byte[] content, String context) {
        var session = session(reader);
        try {
            return BusProto.SessionSealed.newBuilder()
                    .setSession(session.sealed)
                    .setContent(Wire.bytes(session.cipher.encrypt(content, bound(reader, context))))
                    .build()
                    .toByteArray();
        } catch (GeneralSecurityException e) {
            throw new SealException("sealing for " + reader + " failed");
        }
    }

    synchronized Session session(ServiceRole reader) {
        var known = sessions.get(reader);
        long now = nanos.getAsLong();
        if (known == null || known.uses == USES_MAX || now - known.sinceNanos >= LIFETIME.toNanos()) {
            var key = new byte[KEY_BYTES];
            RANDOM.nextBytes(key);
            var sealed = Wire.bytes(keys.sealFor(reader, key, context(reader)));
            known = new Session(sealed, cipher(key), now);
            sessions.put(reader, known);
        }
        known.uses++;
        return known;
    }

    /// Opens what [#sealed] names as sealed so.
    ///
    /// @throws SealException as [KeyRing#open]
    byte[] open(byte[] sealed, String context) {
        var reader = keys.self();
        try {
            var in = Wire.parse(BusProto.SessionSealed.parser(), sealed);
            return opened(in.getSession()).decrypt(in.getContent().toByteArray(), bound(reader, context));
        } catch (GeneralSecurityException | MalformedMessageException e) {
            throw new SealException("sealed content does not open with the keys of " + reader);
        }
    }

    private AesGcmJce opened(ByteString session) {
        long now = nanos.getAsLong();
        var known = known(session, now);
        if (known != null) {
            return known;
        }
        var cipher = cipher(keys.openAlone(session.toByteArray(), context(keys.self())));
        synchronized (this) {
            // A copy, for the session is a part of all that was sealed.
            opened.put(ByteString.copyFrom(session.asReadOnlyByteBuffer()), new Opened(cipher, now));
        }
        return cipher;
    }

    private synchronized @Nullable AesGcmJce known(ByteString session, long now) {
        for (var all = opened.values().iterator(); all.hasNext(); all.remove()) {
            if (now - all.next().sinceNanos < OPENED_LIFETIME.toNanos()) {
                break;
            }
        }
        var known = opened.get(session);
        return known == null ? null : known.cipher;
    }

    /// The number of opened keys in the cache.
    synchronized int opened() {
        return opened.size();
    }

    private static AesGcmJce cipher(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new SealException("a session key has " + KEY_BYTES + " bytes");
        }
        try {
            return new AesGcmJce(key);
        } catch (GeneralSecurityException e) {
            throw new SealException("AES-GCM is not available");
        }
    }

    private static String context(ServiceRole reader) {
        return "session|" + reader.wireName();
    }

    private static byte[] bound(ServiceRole reader, String context) {
        return (reader.wireName() + "|" + context).getBytes(StandardCharsets.UTF_8);
    }
}
