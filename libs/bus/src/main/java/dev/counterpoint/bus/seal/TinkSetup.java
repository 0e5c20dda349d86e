package dev.counterpoint.bus.seal;

import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.mac.MacConfig;
import com.google.crypto.tink.prf.PrfConfig;
import com.google.crypto.tink.signature.SignatureConfig;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import org.conscrypt.Conscrypt;

/// Registers the primitives that we use, once.
final class TinkSetup {
    static {
        addNative();
        try {
            HybridConfig.register();
            AeadConfig.register();
            MacConfig.register();
            PrfConfig.register();
            SignatureConfig.register();
        } catch (GeneralSecurityException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private TinkSetup() {}

    /// Tink computes X25519 and Ed25519 by Conscrypt where that is registered, four times as fast as by itself.
    /// The JDK's providers stay before it for everything else but [NativeGcm]. Where its native library does not
    /// load, Tink does without.
    private static void addNative() {
        try {
            var conscrypt = Conscrypt.newProvider();
            Security.addProvider(conscrypt);
            Security.insertProviderAt(new NativeGcm(conscrypt), 1);
        } catch (LinkageError e) {
            // The same seals come of Tink's own code.
        }
    }

    /// AES-GCM by Conscrypt, and nothing else. The JDK's own takes 5 ms for 300 kB, a long prompt, until a process
    /// has sealed some thousand texts and the compiler has replaced it; this one takes 0.15 ms from the start.
    private static final class NativeGcm extends Provider {
        private static final long serialVersionUID = 1;
        private static final String CIPHER = "AES/GCM/NoPadding";

        NativeGcm(Provider conscrypt) {
            super("CounterpointGcm", "1", "AES-GCM by Conscrypt");
            put("Cipher." + CIPHER, conscrypt.getService("Cipher", CIPHER).getClassName());
        }
    }

    /// Runs the static block above.
    static void ensure() {
        // Loading the class is all there is to do.
    }
}
