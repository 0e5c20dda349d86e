package dev.counterpoint.audit.keys;

import dev.counterpoint.audit.config.AuditConfig;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens the root keys at the start: the keyset file, a PKCS#11 token, or both while the deployment moves from one to
/// the other. This service does not start without them.
@Startup
@ApplicationScoped
class KeyServiceProducer {
    private static final Logger LOG = LoggerFactory.getLogger(KeyServiceProducer.class);

    private final KeyService keys;

    KeyServiceProducer(AuditConfig config) {
        keys = new ReopenedRoot(() -> opened(config));
        LOG.info("rootKeys=\"{}\"", keys.describe());
    }

    @Produces
    @Singleton
    KeyService keyService() {
        return keys;
    }

    private static KeyService opened(AuditConfig config) {
        var token = token(config);
        return switch (config.rootKeyService()) {
            case KEYSET_FILE ->
                token.<KeyService>map(before -> new MovedRoot(keyset(config), before))
                        .orElseGet(() -> keyset(config));
            case PKCS11 -> {
                var current = token.orElseThrow(() -> new EncryptionException("audit.root-key-service is pkcs11: set"
                        + " audit.root-pkcs11-config (AUDIT_ROOT_PKCS11_CONFIG)"));
                yield Files.exists(config.rootKeysetFile()) ? new MovedRoot(current, keyset(config)) : current;
            }
        };
    }

    private static Optional<RootToken> token(AuditConfig config) {
        return config.rootPkcs11Config()
                .map(file -> RootToken.open(
                        file,
                        config.rootPkcs11PinFile()
                                .orElseThrow(() ->
                                        new EncryptionException("no PIN for the token: set audit.root-pkcs11-pin-file"
                                                + " (AUDIT_ROOT_PKCS11_PIN_FILE)")),
                        config.rootPkcs11Keys()
                                .orElseThrow(() -> new EncryptionException(
                                        "no key in the token is named: set audit.root-pkcs11-keys"
                                                + " (AUDIT_ROOT_PKCS11_KEYS)"))));
    }

    private static RootKeyset keyset(AuditConfig config) {
        return RootKeyset.load(config.rootKeysetFile(), passphrase(config));
    }

    private static Passphrase passphrase(AuditConfig config) {
        return config.rootPassphraseFile()
                .map(Passphrase::in)
                .or(() -> config.rootPassphrase().map(Passphrase::of))
                .orElseThrow(() -> new EncryptionException("no passphrase for the root keyset: set"
                        + " audit.root-passphrase-file (AUDIT_ROOT_PASSPHRASE_FILE) or audit.root-passphrase"));
    }
}
