package dev.counterpoint.audit.keys;

import dev.counterpoint.bus.seal.SealException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/// Command that makes and rotates the root keyset:
/// `RootKeysetCommand create|rotate|describe <keyset file> <passphrase file>`.
/// `RootKeysetCommand passphrase <keyset file> <passphrase file> <file with a new one>` encrypts it under another
/// passphrase; whoever runs it then puts the new file in the old one's place. It may be run again.
///
/// Exit status: 0 done, 1 refused, 2 wrong arguments.
public final class RootKeysetCommand {
    private static final List<String> VERBS = List.of("create", "rotate", "describe");

    private RootKeysetCommand() {}

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        boolean anew = arguments.length == 4 && arguments[0].equals("passphrase");
        if (!anew && (arguments.length != 3 || !VERBS.contains(arguments[0]))) {
            System.err.println("usage: RootKeysetCommand create|rotate|describe <keyset file> <passphrase file>\n"
                    + "       RootKeysetCommand passphrase <keyset file> <passphrase file> <file with a new one>");
            System.exit(2);
            return;
        }
        try {
            var keyset = Path.of(arguments[1]);
            var passphrase = Path.of(arguments[2]);
            System.out.println(
                    anew ? protect(keyset, passphrase, Path.of(arguments[3])) : run(arguments[0], keyset, passphrase));
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
                        + "\nRestart every audit service, so that it wraps with it.";
            default -> text(RootKeyset.load(keyset, passphrase).describe());
        };
    }

    private static String protect(Path keyset, Path before, Path after) throws IOException, GeneralSecurityException {
        RootKeyset.protect(keyset, Passphrase.in(before), Passphrase.in(after));
        return keyset + " opens with the passphrase in " + after + "\nPut this file in the place of " + before
                + ", and restart every audit service with both.";
    }

    private static String text(KeyService.Description keys) {
        return "wraps with " + keys.current() + ", reads " + String.join(", ", keys.readable());
    }
}
