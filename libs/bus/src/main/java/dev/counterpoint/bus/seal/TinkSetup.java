package dev.counterpoint.bus.seal;

import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.mac.MacConfig;
import com.google.crypto.tink.signature.SignatureConfig;
import java.security.GeneralSecurityException;
import java.security.Security;
import org.conscrypt.Conscrypt;

/// Registers the primitives that we use, once.
final class TinkSetup {
    static {
        addNativeCurves();
        try {
            HybridConfig.register();
            AeadConfig.register();
            MacConfig.register();
            SignatureConfig.register();
        } catch (GeneralSecurityException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private TinkSetup() {}

    /// Tink computes X25519 and Ed25519 by Conscrypt where that is registered, four times as fast as by itself.
    /// The JDK's providers stay before it for everything else. Where its native library does not load, Tink does
    /// without.
    private static void addNativeCurves() {
        try {
            Security.addProvider(Conscrypt.newProvider());
        } catch (LinkageError e) {
            // The same seals come of Tink's own code.
        }
    }

    /// Runs the static block above.
    static void ensure() {
        // Loading the class is all there is to do.
    }
}
