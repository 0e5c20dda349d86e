package dev.counterpoint.bus.seal;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyTemplates;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import dev.counterpoint.bus.ServiceRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Command that fills a folder with the sealing keys of a deployment: `GenerateKeys <folder>`. Files that exist
/// stay as they are, so running it again adds what is missing and loses nothing. `GenerateKeys rotate
/// add|promote|retire <folder>` takes one step of a [KeyRotation] of the keys of sealed reasoning, with
/// `signatures` at the end of the keys that sign, with `content` of those that content on the bus is sealed to.
public final class GenerateKeys {
    static final String HPKE = "DHKEM_X25519_HKDF_SHA256_HKDF_SHA256_AES_256_GCM";
    static final String REASONING = "AES256_GCM";
    static final String SIGNATURE = "ED25519";
    static final String MAC = "HMAC_SHA256_256BITTAG";
    private static final String SUBJECTS = "HKDF_SHA256";
    private static final FileAttribute<?> FOLDER_OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private GenerateKeys() {}

    public static void main(String[] args) throws IOException {
        if (args.length == 1) {
            into(Path.of(args[0]));
        } else if (args.length >= 3
                && args[0].equals("rotate")
                && KeyRotation.isStep(args[1])
                && subject(args) != null) {
            rotate(args[1], new KeyRotation(Path.of(args[2]), Objects.requireNonNull(subject(args))));
        } else {
            System.err.println("usage: GenerateKeys <folder>\n"
                    + "       GenerateKeys rotate add|promote|retire <folder> [signatures|content]");
            System.exit(2);
        }
    }

    private static KeyRotation.@Nullable Subject subject(String[] args) {
        return switch (args.length == 3 ? "" : args.length == 4 ? args[3] : "too many") {
            case "" -> KeyRotation.Subject.REASONING;
            case "signatures" -> KeyRotation.Subject.SIGNATURES;
            case "content" -> KeyRotation.Subject.CONTENT;
            default -> null;
        };
    }

    private static void rotate(String step, KeyRotation rotation) throws IOException {
        try {
            System.out.println(rotation.take(step));
        } catch (SealException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /// Writes the keys that `folder` lacks; private ones readable by the owner only.
    public static void into(Path folder) throws IOException {
        TinkSetup.ensure();
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            Files.createDirectory(folder, FOLDER_OWNER_ONLY);
        }
        for (var role : ServiceRole.values()) {
            keyPair(folder.resolve(KeyRing.privateFile(role)), folder.resolve(KeyRing.publicFile(role)), HPKE);
            keyPair(
                    folder.resolve(Signatures.privateFile(role)),
                    folder.resolve(Signatures.publicFile(role)),
                    SIGNATURE);
        }
        secret(folder.resolve(KeyRing.REASONING_KEYS), REASONING);
        secret(folder.resolve(KeyRing.REASONING_MAC), MAC);
        secret(folder.resolve(KeyRing.SUBJECT_TOKENS), SUBJECTS);
    }

    private static void keyPair(Path own, Path shared, String template) throws IOException {
        if (Files.exists(shared)) {
            return; // A public key without its private one means that the latter is kept elsewhere.
        }
        try {
            if (!Files.exists(own)) {
                write(own, KeysetHandle.generateNew(KeyTemplates.get(template)));
            }
            write(shared, KeyRing.open(own).getPublicKeysetHandle());
        } catch (GeneralSecurityException e) {
            throw new SealException("a key pair for " + own.getFileName() + " cannot be made");
        }
    }

    private static void secret(Path file, String template) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        try {
            write(file, KeysetHandle.generateNew(KeyTemplates.get(template)));
        } catch (GeneralSecurityException e) {
            throw new SealException("a key for " + file.getFileName() + " cannot be made");
        }
    }

    static void write(Path file, KeysetHandle keys) throws IOException, GeneralSecurityException {
        PrivateFile.write(file, TinkJsonProtoKeysetFormat.serializeKeyset(keys, InsecureSecretKeyAccess.get()));
    }
}
