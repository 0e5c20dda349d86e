package dev.counterpoint.bus.frame;

import com.google.crypto.tink.HybridDecrypt;
import com.google.crypto.tink.PublicKeyVerify;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.Signatures;
import dev.counterpoint.bus.testkit.TestKeys;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The keys of a service that remember what they verified and opened: both are functions of bytes alone, and a walk
/// through a hundred thousand logs asks for the same few hundred records. What is verified, by whose key and over
/// which bytes, is still decided by the code under test. Not thread-safe.
final class RememberingKeys {
    private RememberingKeys() {}

    static KeyRing of(ServiceRole role) {
        var keys = KeyRing.load(TestKeys.FOLDER, role);
        try {
            var signers = Signatures.class.getDeclaredField("signers");
            signers.setAccessible(true);
            @SuppressWarnings("unchecked")
            var verifiers = (Map<ServiceRole, PublicKeyVerify>) signers.get(keys.signatures());
            verifiers.replaceAll((_, verifier) -> verifying(verifier));
            var own = KeyRing.class.getDeclaredField("own");
            own.setAccessible(true);
            own.set(keys, opening((HybridDecrypt) own.get(keys)));
            return keys;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PublicKeyVerify verifying(PublicKeyVerify verifier) {
        Set<List<ByteBuffer>> good = new HashSet<>();
        Set<List<ByteBuffer>> bad = new HashSet<>();
        return (signature, data) -> {
            var asked = List.of(ByteBuffer.wrap(signature), ByteBuffer.wrap(data));
            if (good.contains(asked)) {
                return;
            }
            if (bad.contains(asked)) {
                throw new GeneralSecurityException("as before");
            }
            try {
                verifier.verify(signature, data);
                good.add(asked);
            } catch (GeneralSecurityException e) {
                bad.add(asked);
                throw e;
            }
        };
    }

    private static HybridDecrypt opening(HybridDecrypt opener) {
        Map<List<ByteBuffer>, byte[]> opened = new HashMap<>();
        return (ciphertext, context) -> {
            var asked = List.of(ByteBuffer.wrap(ciphertext), ByteBuffer.wrap(context));
            var known = opened.get(asked);
            if (known == null) {
                known = opener.decrypt(ciphertext, context);
                opened.put(asked, known);
            }
            return known.clone();
        };
    }
}
