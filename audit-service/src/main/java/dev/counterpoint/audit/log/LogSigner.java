package dev.counterpoint.audit.log;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.bus.seal.SigningKeyPairs;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.VerifierKey;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signs checkpoints with the keys with which the audit service signs on the bus: all of its keyset, so that a verifier
/// with the old key still works after a rotation. ML-DSA keys, if set, sign beside them; the service itself verifies
/// the Ed25519 signatures. Thread-safe.
@Startup
@ApplicationScoped
class LogSigner {
    private static final Logger LOG = LoggerFactory.getLogger(LogSigner.class);

    private final String origin;
    private final List<NoteSigner> signers;
    private final LogPolicy policy;

    LogSigner(AuditConfig config) {
        origin = config.logOrigin();
        var bus = SigningKeyPairs.load(config.keysDir(), ServiceRole.AUDIT).stream()
                .map(keys -> new NoteSigner(
                        new VerifierKey(origin, SignatureType.ED25519, keys.getPublic()), keys.getPrivate()))
                .toList();
        policy = LogPolicy.ofLogs(bus.stream().map(NoteSigner::verifier).toArray(VerifierKey[]::new));
        signers = Stream.concat(
                        bus.stream(),
                        config.logMlDsaKeys().stream().flatMap(List::stream).map(this::mlDsa))
                .toList();
        signers.forEach(signer -> LOG.info("the audit log is signed key={}", signer.verifier()));
    }

    private NoteSigner mlDsa(Path file) {
        try {
            var signer = NoteSigner.parse(PrivateFile.read(file));
            var key = signer.verifier();
            if (key.type() == SignatureType.ML_DSA_44 && key.name().equals(origin)) {
                return signer;
            }
        } catch (InvalidLogException e) {
            throw new IllegalArgumentException(file + " is no key file: " + e.getMessage());
        }
        throw new IllegalArgumentException(file + " has no ML-DSA-44 key of the log " + origin);
    }

    String origin() {
        return origin;
    }

    /// The keys as a file of a tlog-policy.
    String policy() {
        return signers.stream()
                .map(signer -> "log " + signer.verifier() + "\n")
                .collect(Collectors.joining("", "", "quorum none\n"));
    }

    SignedNote sign(Checkpoint checkpoint) {
        var now = Instant.now();
        var text = checkpoint.text();
        return new SignedNote(
                text, signers.stream().map(signer -> signer.sign(text, now)).toList());
    }

    /// @throws dev.counterpoint.tlog.InvalidLogException for a note that these keys did not sign
    Checkpoint verified(SignedNote note) {
        return policy.verify(note);
    }

    /// Whether all of these keys signed a note. One that came with a rotation did not sign notes of before.
    boolean signedByAll(SignedNote note) {
        return note.verify(signers.stream().map(NoteSigner::verifier).toList()).size() == signers.size();
    }
}
