package dev.counterpoint.bus.seal;

import com.google.crypto.tink.subtle.AesGcmJce;
import com.google.crypto.tink.subtle.Hkdf;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The AES-256-GCM key of one lane of one attempt. It lives as long as the attempt and travels only wrapped, in the
/// attempt's fence. Thread-safe.
public final class LaneKey {
    private static final int BYTES = 32;
    private static final int TAG_BYTES = 16;
    private static final int PLACE_BYTES = 1 + ResponseId.BYTES + 4 + 8 + 4 + 1 + 1 + 4;
    private static final byte[] TAG_KEY = "counterpoint frame tag".getBytes(StandardCharsets.UTF_8);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] key;
    private final AesGcmJce cipher;
    private @Nullable Mac tagger;

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

    public byte[] wrapFor(ServiceRole reader, ContentSealer sealer, String context) {
        return sealer.sealFor(reader, key, context);
    }

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

    /// The tag of a frame under a key that is derived from this one: it proves that a holder of this key wrote the
    /// frame.
    public byte[] tag(Frame frame) {
        return tag(frame.content());
    }

    byte[] tag(byte[] content) {
        return Arrays.copyOf(mac(content), TAG_BYTES);
    }

    /// True when the frame's proof is its tag under this key.
    boolean hasTagged(Frame frame) {
        return hasTagged(frame.content(), frame.proof());
    }

    boolean hasTagged(byte[] content, byte[] tag) {
        return MessageDigest.isEqual(tag(content), tag);
    }

    /// About a microsecond for a token's frame, once the key is derived.
    private synchronized byte[] mac(byte[] content) {
        try {
            var mac = tagger;
            if (mac == null) {
                mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(
                        Hkdf.computeHkdf("HMACSHA256", key, new byte[0], TAG_KEY, BYTES), "HmacSHA256"));
                tagger = mac;
            }
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new SealException("HMAC is not available");
        }
    }

    /// Everything that says where a body belongs, so that no body can be moved.
    private static byte[] place(String tenant, Frame frame) {
        if (frame.format() > 1) {
            return binaryPlace(tenant, frame);
        }
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

    /// All but the tenant has a fixed length, and begins with the format.
    private static byte[] binaryPlace(String tenant, Frame frame) {
        var name = tenant.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(PLACE_BYTES + name.length)
                .put((byte) frame.format())
                .put(frame.response().bytes())
                .putInt(frame.attempt())
                .putLong(frame.nonce())
                .putInt(frame.seq())
                .put((byte) frame.lane().number())
                .put((byte) frame.kind().number())
                .putInt(frame.message())
                .put(name)
                .array();
    }
}
