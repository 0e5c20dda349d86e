package dev.counterpoint.bus.seal;

import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.mac.MacConfig;
import com.google.crypto.tink.signature.SignatureConfig;
import java.security.GeneralSecurityException;

/// Registers the primitives that we use, once.
final class TinkSetup {
    static {
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

    /// Runs the static block above.
    static void ensure() {
        // Loading the class is all there is to do.
    }
}
