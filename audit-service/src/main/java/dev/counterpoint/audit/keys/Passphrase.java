package dev.counterpoint.audit.keys;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.subtle.AesGcmJce;
import dev.counterpoint.bus.seal.PrivateFile;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/// The passphrase that protects the root keyset. There is no default.
final class Passphrase {
    private static final int CHARACTERS_MIN = 16;
    private static final int KEY_BYTES = 32;

    private final char[] characters;

    private Passphrase(char[] characters) {
        this.characters = characters;
    }

    /// @throws EncryptionException when the passphrase is too short to protect anything
    static Passphrase of(String text) {
        var stripped = text.strip();
        if (stripped.length() < CHARACTERS_MIN) {
            throw new EncryptionException(
                    "the passphrase of the root keyset has fewer than " + CHARACTERS_MIN + " characters");
        }
        return new Passphrase(stripped.toCharArray());
    }

    /// @throws dev.counterpoint.bus.seal.SealException when the file is missing or readable by others
    /// @throws EncryptionException when it holds too little
    static Passphrase in(Path file) {
        return of(PrivateFile.read(file));
    }

    /// The work that guessing one passphrase costs.
    record Cost(int memoryKib, int iterations) {
        /// One of the settings that OWASP recommends for Argon2id.
        static final Cost OF_NEW_FILES = new Cost(47_104, 1);

        private static final Cost MAX = new Cost(1 << 20, 10);

        /// False for a file that was changed to make guessing cheap or opening endless.
        boolean isReasonable() {
            return memoryKib >= OF_NEW_FILES.memoryKib
                    && memoryKib <= MAX.memoryKib
                    && iterations >= OF_NEW_FILES.iterations
                    && iterations <= MAX.iterations;
        }
    }

    /// The key that Argon2id derives from the passphrase.
    Aead key(byte[] salt, Cost cost) throws GeneralSecurityException {
        var argon2 = new Argon2BytesGenerator();
        argon2.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withSalt(salt)
                .withMemoryAsKB(cost.memoryKib)
                .withIterations(cost.iterations)
                .withParallelism(1)
                .build());
        var key = new byte[KEY_BYTES];
        argon2.generateBytes(characters, key);
        try {
            return new AesGcmJce(key);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    @Override
    public String toString() {
        return "Passphrase[…]";
    }
}
