package dev.counterpoint.audit.keys;

import dev.counterpoint.audit.config.AuditConfig;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens the root keyset at the start. This service does not start when the file is missing or readable by others.
@Startup
@ApplicationScoped
class KeyServiceProducer {
    private static final Logger LOG = LoggerFactory.getLogger(KeyServiceProducer.class);

    private final KeyService keys;

    KeyServiceProducer(AuditConfig config) {
        keys = RootKeyset.load(config.rootKeysetFile(), passphrase(config));
        LOG.info("rootKeys=\"{}\"", keys.describe());
    }

    @Produces
    @Singleton
    KeyService keyService() {
        return keys;
    }

    private static Passphrase passphrase(AuditConfig config) {
        return config.rootPassphraseFile()
                .map(Passphrase::in)
                .or(() -> config.rootPassphrase().map(Passphrase::of))
                .orElseThrow(() -> new EncryptionException("no passphrase for the root keyset: set"
                        + " audit.root-passphrase-file (AUDIT_ROOT_PASSPHRASE_FILE) or audit.root-passphrase"));
    }
}
