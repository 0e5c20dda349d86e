package dev.counterpoint.audit.keys;

import dev.counterpoint.bus.seal.SealException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.stream.Collectors;

/// Command that makes and rotates the root keyset:
/// `RootKeysetCommand create|rotate|describe <keyset file> <passphrase file>`.
/// `RootKeysetCommand passphrase <keyset file> <passphrase file> <file with a new one>` encrypts it under another
/// passphrase; whoever runs it then puts the new file in the old one's place. It may be run again.
/// `RootKeysetCommand retire <keyset file> <passphrase file> <version>` removes a key; what it wrapped is lost.
///
/// Exit status: 0 done, 1 refused, 2 wrong arguments.
public final class RootKeysetCommand {
    private static final List<String> VERBS = List.of("create", "rotate", "describe");

    private RootKeysetCommand() {}

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        var verbs = arguments.length == 4 ? List.of("passphrase", "retire") : VERBS;
        if (arguments.length < 3 || arguments.length > 4 || !verbs.contains(arguments[0])) {
            System.err.println("usage: RootKeysetCommand create|rotate|describe <keyset file> <passphrase file>\n"
                    + "       RootKeysetCommand passphrase <keyset file> <passphrase file> <file with a new one>\n"
                    + "       RootKeysetCommand retire <keyset file> <passphrase file> <version>");
            System.exit(2);
            return;
        }
        try {
            var keyset = Path.of(arguments[1]);
            var passphrase = Path.of(arguments[2]);
            System.out.println(
                    switch (arguments[0]) {
                        case "passphrase" -> protect(keyset, passphrase, Path.of(arguments[3]));
                        case "retire" -> retire(keyset, passphrase, arguments[3]);
                        default -> run(arguments[0], keyset, passphrase);
                    });
        } catch (EncryptionException | SealException refused) {
            System.err.println(refused.getMessage());
            System.exit(1);
        }
    }

    /// @return the text to print
    static String run(String verb, Path keyset, Path passphraseFile) throws IOException, GeneralSecurityException {
        var passphrase = Passphrase.in(passphraseFile);
        return switch (verb) {
            case "create" -> {
                RootKeyset.create(keyset, passphrase);
                yield "made " + keyset;
            }
            case "rotate" ->
                text(RootKeyset.rotate(keyset, passphrase))
                        + "\nRestart every audit service: it wraps with the new key, also what older keys wrapped.";
            default -> text(RootKeyset.load(keyset, passphrase).describe());
        };
    }

    static String retire(Path keyset, Path passphrase, String version) throws IOException, GeneralSecurityException {
        return text(RootKeyset.retire(keyset, Passphrase.in(passphrase), version)) + "\nRestart every audit service.";
    }

    private static String protect(Path keyset, Path before, Path after) throws IOException, GeneralSecurityException {
        RootKeyset.protect(keyset, Passphrase.in(before), Passphrase.in(after));
        return keyset + " opens with the passphrase in " + after + "\nPut this file in the place of " + before
                + ", and restart every audit service with both.";
    }

    private static String text(KeyService.Description keys) {
        var readable = keys.readable().stream().map(KeyService.Version::name).collect(Collectors.joining(", "));
        return "wraps with " + keys.current() + ", reads " + readable;
    }
}
