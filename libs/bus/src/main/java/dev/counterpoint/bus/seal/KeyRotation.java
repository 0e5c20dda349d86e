package dev.counterpoint.bus.seal;

import com.google.crypto.tink.KeysetHandle;
import dev.counterpoint.bus.ServiceRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Changes keys that several services use together, in three steps with a restart of these services after each, so
/// that services that have not restarted yet can read the records of the others:
///
/// * `add`: a new key that everybody can read with and nobody writes with;
/// * `promote`: the new key writes, the old one still reads;
/// * `retire`: the old one goes. What it wrote is refused from then on, so wait for the longest lifetime first.
///
/// The keys of sealed reasoning are cipher and MAC; those of signatures and of sealed content are the private keysets
/// in the folder, each with its public one beside it.
///
/// A step that was interrupted between the two keysets is finished by taking it again.
final class KeyRotation {
    private static final List<String> STEPS = List.of("add", "promote", "retire");

    private final Path folder;
    private final Subject subject;

    enum Subject {
        REASONING("gateways and workers"),
        SIGNATURES("all services"),
        CONTENT("all services");

        private final String users;

        Subject(String users) {
            this.users = users;
        }
    }

    KeyRotation(Path folder, Subject subject) {
        TinkSetup.ensure();
        this.folder = folder;
        this.subject = subject;
    }

    static boolean isStep(String name) {
        return STEPS.contains(name);
    }

    /// @param shared the file of its public keys; null for a secret keyset
    private record Keyset(
            Path file,
            String template,
            KeysetHandle keys,
            @Nullable Path shared) {
        /// The public keys come first: after an interruption the step is taken again from the private ones.
        void write(KeysetHandle changed) throws IOException, GeneralSecurityException {
            if (shared != null) {
                GenerateKeys.write(shared, changed.getPublicKeysetHandle());
            }
            GenerateKeys.write(file, changed);
        }

        /// The place of the primary key in the order in which the keys were added.
        int primary() {
            for (int i = 0; i < keys.size(); i++) {
                if (keys.getAt(i).isPrimary()) {
                    return i;
                }
            }
            throw new SealException(file + " has no primary key");
        }

        boolean hasWaiting() {
            return primary() < keys.size() - 1;
        }

        boolean hasOld() {
            return primary() > 0;
        }

        KeysetHandle withNew() throws GeneralSecurityException {
            return KeysetHandle.newBuilder(keys)
                    .addEntry(KeysetHandle.generateEntryFromParametersName(template)
                            .withRandomId())
                    .build();
        }

        KeysetHandle withNewestPrimary() throws GeneralSecurityException {
            var builder = KeysetHandle.newBuilder(keys);
            builder.getAt(keys.size() - 1).makePrimary();
            return builder.build();
        }

        KeysetHandle withPrimaryOnly() throws GeneralSecurityException {
            var builder = KeysetHandle.newBuilder(keys);
            for (int i = keys.size() - 1; i >= 0; i--) {
                if (i != primary()) {
                    builder.deleteAt(i);
                }
            }
            return builder.build();
        }
    }

    /// Takes one step.
    ///
    /// @return what to do next, for people
    /// @throws SealException when it is not this step's turn, or a file is no keyset
    String take(String step) throws IOException {
        try {
            var keysets = keysets();
            return switch (step) {
                case "add" -> add(keysets);
                case "promote" -> promote(keysets);
                case "retire" -> retire(keysets);
                default -> throw new IllegalArgumentException("no step is called " + step);
            };
        } catch (GeneralSecurityException e) {
            throw new SealException("a keyset in " + folder + " cannot be changed");
        }
    }

    private List<Keyset> keysets() throws IOException, GeneralSecurityException {
        return switch (subject) {
            case REASONING ->
                List.of(
                        read(KeyRing.REASONING_KEYS, GenerateKeys.REASONING, null),
                        read(KeyRing.REASONING_MAC, GenerateKeys.MAC, null));
            case SIGNATURES -> pairs(GenerateKeys.SIGNATURE, Signatures::privateFile, Signatures::publicFile);
            case CONTENT -> pairs(GenerateKeys.HPKE, KeyRing::privateFile, KeyRing::publicFile);
        };
    }

    private List<Keyset> pairs(String template, Function<ServiceRole, String> own, Function<ServiceRole, String> shared)
            throws IOException, GeneralSecurityException {
        var keysets = new ArrayList<Keyset>();
        for (var role : ServiceRole.values()) {
            // A public key without its private one means that the latter is kept elsewhere, and rotated there.
            if (Files.exists(folder.resolve(own.apply(role)))) {
                keysets.add(read(own.apply(role), template, shared.apply(role)));
            }
        }
        return keysets;
    }

    private Keyset read(String name, String template, @Nullable String shared)
            throws IOException, GeneralSecurityException {
        var file = folder.resolve(name);
        return new Keyset(file, template, KeyRing.open(file), shared == null ? null : folder.resolve(shared));
    }

    private String add(List<Keyset> keysets) throws IOException, GeneralSecurityException {
        var lacking = keysets.stream().filter(keyset -> !keyset.hasWaiting()).toList();
        require(!lacking.isEmpty(), "a new key waits already: restart " + subject.users + ", then promote it");
        for (var keyset : lacking) {
            keyset.write(keyset.withNew());
        }
        return "Added. Restart " + subject.users + ", then: rotate promote";
    }

    private String promote(List<Keyset> keysets) throws IOException, GeneralSecurityException {
        var waiting = keysets.stream().filter(Keyset::hasWaiting).toList();
        require(!waiting.isEmpty(), "no new key waits: add one first");
        // The other may have been promoted before an interruption, but must have been added to.
        require(
                keysets.stream().allMatch(keyset -> keyset.hasWaiting() || keyset.hasOld()),
                "a new key is missing in one of the keysets: add it first");
        for (var keyset : waiting) {
            keyset.write(keyset.withNewestPrimary());
        }
        return "Promoted. Restart " + subject.users + "; when all that the old key wrote has expired: rotate retire";
    }

    private String retire(List<Keyset> keysets) throws IOException, GeneralSecurityException {
        require(keysets.stream().noneMatch(Keyset::hasWaiting), "a new key waits: promote it first");
        var old = keysets.stream().filter(Keyset::hasOld).toList();
        require(!old.isEmpty(), "there is one key only: nothing to retire");
        for (var keyset : old) {
            keyset.write(keyset.withPrimaryOnly());
        }
        return "Retired. Restart " + subject.users + ".";
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new SealException(otherwise);
        }
    }
}
