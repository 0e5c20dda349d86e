package dev.counterpoint.local.doctor;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.seal.DamagedKeysException;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.seal.SignedRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whether the services have their keys, alone, and whether the keys belong together: each seals, signs and tags for
/// each other one, as in service.
public final class KeyChecks {
    private static final String CONTEXT = "doctor";
    private static final byte[] CONTENT = new StopCommand(ResponseId.create(0, 0), 1).encode();

    private KeyChecks() {}

    public static List<Misconfiguration> look(List<DiagnosedService> services) {
        var found = new LinkedHashSet<Misconfiguration>();
        Map<DiagnosedService, KeyRing> rings = new LinkedHashMap<>();
        for (var service : services) {
            var folder = folder(service);
            found.addAll(folder);
            if (folder.isEmpty()) {
                ring(service, found).ifPresent(ring -> rings.put(service, ring));
            }
        }
        rings.forEach((writer, keys) -> rings.forEach((reader, other) -> {
            if (!understands(keys, other)) {
                found.add(new Misconfiguration(
                        "keys-apart",
                        "the %s cannot read what the %s writes: the keys in %s and %s are of different deployments"
                                .formatted(reader, writer, reader.keys(), writer.keys()),
                        "give both the files of one `GenerateKeys` run; each its own private ones"));
            }
        }));
        return List.copyOf(found);
    }

    private static List<Misconfiguration> folder(DiagnosedService service) {
        var folder = service.keys();
        if (!Files.isDirectory(folder)) {
            return List.of(new Misconfiguration(
                    "keys-folder-missing",
                    "the folder of the %s's keys, %s, is not there".formatted(service, folder),
                    "`GenerateKeys FOLDER` makes one, or set COUNTERPOINT_KEYS_DIR"));
        }
        var found = new ArrayList<Misconfiguration>();
        try (var files = Files.newDirectoryStream(folder, "*.{private.json,bus.properties}")) {
            files.forEach(file -> openToOthers(file).ifPresent(found::add));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return found;
    }

    private static Optional<Misconfiguration> openToOthers(Path file) {
        try {
            PrivateFile.read(file);
            return Optional.empty();
        } catch (SealException refused) {
            return Optional.of(new Misconfiguration(
                    "key-open-to-others", "" + refused.getMessage(), "chmod 600 " + file + ", owned by its service"));
        }
    }

    private static Optional<KeyRing> ring(DiagnosedService service, LinkedHashSet<Misconfiguration> found) {
        try {
            return Optional.of(KeyRing.load(service.keys(), service.role()));
        } catch (SealException refused) {
            boolean damaged = refused instanceof DamagedKeysException;
            found.add(new Misconfiguration(
                    damaged ? "key-damaged" : "key-missing",
                    "the %s's keys: %s".formatted(service, refused.getMessage()),
                    damaged
                            ? "put the file back; a new one opens nothing that the old one sealed"
                            : "copy the file here, or run `GenerateKeys FOLDER` for a new deployment"));
            return Optional.empty();
        }
    }

    private static boolean understands(KeyRing writer, KeyRing reader) {
        try {
            reader.open(writer.sealFor(reader.self(), CONTENT, CONTEXT), CONTEXT);
            var kind = kind(writer.self());
            reader.signatures().verified(kind, CONTEXT, writer.signatures().sign(kind, CONTEXT, CONTENT));
            if (writer.self() == ServiceRole.WORKER && reader.self() == ServiceRole.GATEWAY) {
                var header = new SealedReasoning.Header(Long.MAX_VALUE, 1, "");
                var sealed = SealedReasoning.seal(new int[] {1}, header, CONTEXT, writer);
                SealedReasoning.check(sealed, new SealedReasoning.Turn(CONTEXT, ""), 0, reader);
            }
            return true;
        } catch (SealException refused) {
            return false;
        }
    }

    private static SignedRecord kind(ServiceRole role) {
        return switch (role) {
            case GATEWAY -> SignedRecord.GATEWAY_BEATS;
            case WORKER -> SignedRecord.WORKER_BEATS;
            case SUMMARIZER -> SignedRecord.SUMMARIZER_BEATS;
            case AUDIT -> SignedRecord.AUDIT_BEATS;
        };
    }

    /// The audit service's own: what wraps all its keys, and what opens that.
    public static List<Misconfiguration> auditRoot(DiagnosedService audit) {
        var found = new ArrayList<Misconfiguration>();
        for (var variable : List.of("AUDIT_ROOT_KEYSET_FILE", "AUDIT_ROOT_PASSPHRASE_FILE")) {
            var file = audit.setting(variable).map(Path::of);
            if (file.isEmpty() || !Files.exists(file.get())) {
                found.add(new Misconfiguration(
                        "audit-root-missing",
                        variable + " names no file"
                                + file.map(path -> ": " + path).orElse(""),
                        "put it back from where it is kept: without it every stored audit record is lost;"
                                + " `root-keyset` makes one for a new deployment"));
            } else {
                openToOthers(file.get()).ifPresent(found::add);
            }
        }
        return List.copyOf(found);
    }
}
