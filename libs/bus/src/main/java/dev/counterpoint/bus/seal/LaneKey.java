package dev.counterpoint.bus.seal;

import com.google.crypto.tink.subtle.AesGcmJce;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;

/// The AES-256-GCM key of one lane of one attempt. It lives as long as the attempt and travels only wrapped, in the
/// attempt's fence. Thread-safe.
public final class LaneKey {
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] key;
    private final AesGcmJce cipher;

    private LaneKey(byte[] key) {
        if (key.length != BYTES) {
            throw new SealException("a lane key has " + BYTES + " bytes");
        }
        this.key = key;
        try {
            cipher = new AesGcmJce(key);
        } catch (GeneralSecurityException e) {
            throw new SealException("AES-GCM is not available");
        }
    }

    public static LaneKey create() {
        var key = new byte[BYTES];
        RANDOM.nextBytes(key);
        return new LaneKey(key);
    }

    /// Wraps this key for a reader.
    public byte[] wrapFor(ServiceRole reader, KeyRing keys, String context) {
        return keys.sealFor(reader, key, context);
    }

    /// Unwraps a key that was wrapped for the holder of `keys`.
    public static LaneKey unwrap(byte[] wrapped, KeyRing keys, String context) {
        return new LaneKey(keys.open(wrapped, context));
    }

    /// Seals the body of a frame; `frame` names where it stands and has no body yet.
    public byte[] seal(byte[] body, String tenant, Frame frame) {
        try {
            return cipher.encrypt(body, place(tenant, frame));
        } catch (GeneralSecurityException e) {
            throw new SealException("sealing a frame failed");
        }
    }

    /// Opens the body of a frame.
    ///
    /// @throws SealException when the frame was altered, moved, or sealed with another key
    public byte[] open(String tenant, Frame frame) {
        try {
            return cipher.decrypt(frame.body(), place(tenant, frame));
        } catch (GeneralSecurityException e) {
            throw new SealException("the body of " + frame + " does not open");
        }
    }

    /// Everything that says where a body belongs, so that no body can be moved.
    private static byte[] place(String tenant, Frame frame) {
        return String.join(
                        "|",
                        tenant,
                        frame.response().toString(),
                        Integer.toString(frame.attempt()),
                        Long.toHexString(frame.nonce()),
                        Integer.toString(frame.seq()),
                        frame.lane().name(),
                        frame.kind().name(),
                        Integer.toString(frame.message()))
                .getBytes(StandardCharsets.UTF_8);
    }
}
