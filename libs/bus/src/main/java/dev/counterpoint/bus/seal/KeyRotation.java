package dev.counterpoint.bus.seal;

import com.google.crypto.tink.KeysetHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/// Changes the keys of sealed reasoning, cipher and MAC together, in three steps with a restart of gateways and workers
/// after each, so that whoever has not restarted yet always opens what the others seal:
///
/// * `add`: a new key that everybody can open with and nobody seals with;
/// * `promote`: the new key seals, the old one still opens;
/// * `retire`: the old one goes. What it sealed is refused from then on, so wait for the longest lifetime first.
///
/// A step that was interrupted between the two keysets is finished by taking it again.
final class KeyRotation {
    private static final List<String> STEPS = List.of("add", "promote", "retire");

    private final Path folder;

    KeyRotation(Path folder) {
        TinkSetup.ensure();
        this.folder = folder;
    }

    static boolean isStep(String name) {
        return STEPS.contains(name);
    }

    private record Keyset(Path file, String template, KeysetHandle keys) {
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
            var keysets = List.of(
                    read(KeyRing.REASONING_KEYS, GenerateKeys.REASONING),
                    read(KeyRing.REASONING_MAC, GenerateKeys.MAC));
            return switch (step) {
                case "add" -> add(keysets);
                case "promote" -> promote(keysets);
                case "retire" -> retire(keysets);
                default -> throw new IllegalArgumentException("no step is called " + step);
            };
        } catch (GeneralSecurityException e) {
            throw new SealException("a keyset of sealed reasoning in " + folder + " cannot be changed");
        }
    }

    private Keyset read(String name, String template) throws IOException, GeneralSecurityException {
        var file = folder.resolve(name);
        return new Keyset(file, template, KeyRing.open(file));
    }

    private static String add(List<Keyset> keysets) throws IOException, GeneralSecurityException {
        var lacking = keysets.stream().filter(keyset -> !keyset.hasWaiting()).toList();
        require(!lacking.isEmpty(), "a new key waits already: restart gateways and workers, then promote it");
        for (var keyset : lacking) {
            GenerateKeys.write(keyset.file, keyset.withNew());
        }
        return "Added. Restart gateways and workers, then: rotate promote";
    }

    private static String promote(List<Keyset> keysets) throws IOException, GeneralSecurityException {
        var waiting = keysets.stream().filter(Keyset::hasWaiting).toList();
        require(!waiting.isEmpty(), "no new key waits: add one first");
        // The other may have been promoted before an interruption, but must have been added to.
        require(
                keysets.stream().allMatch(keyset -> keyset.hasWaiting() || keyset.hasOld()),
                "a new key is missing in one of the keysets: add it first");
        for (var keyset : waiting) {
            GenerateKeys.write(keyset.file, keyset.withNewestPrimary());
        }
        return "Promoted. Restart gateways and workers; when all that the old key sealed has expired: rotate retire";
    }

    private static String retire(List<Keyset> keysets) throws IOException, GeneralSecurityException {
        require(keysets.stream().noneMatch(Keyset::hasWaiting), "a new key waits: promote it first");
        var old = keysets.stream().filter(Keyset::hasOld).toList();
        require(!old.isEmpty(), "there is one key only: nothing to retire");
        for (var keyset : old) {
            GenerateKeys.write(keyset.file, keyset.withPrimaryOnly());
        }
        return "Retired. Restart gateways and workers.";
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new SealException(otherwise);
        }
    }
}
