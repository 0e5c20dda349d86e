package dev.counterpoint.audit.keys;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.counterpoint.bus.seal.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AuthProvider;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Security;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.crypto.KeyGenerator;
import javax.security.auth.login.LoginException;

/// A token of SoftHSM2 for the tests of one JVM. The pom's variable `SOFTHSM2_CONF` names its settings.
///
/// @param configuration of SunPKCS11
public record TestToken(Path folder, Path configuration, Path pin) {
    private static final String PIN = "pin-canary-5b21";
    private static final Path LIBRARY = Path.of("/usr/lib/softhsm/libsofthsm2.so");
    private static final long SECONDS_MAX = 30;

    /// Skips the test where SoftHSM2 is not installed.
    public static TestToken create(Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.exists(LIBRARY), "skipped: no SoftHSM2 (apt-get install softhsm2)");
        var settings = Path.of(System.getenv("SOFTHSM2_CONF"));
        var tokens = Files.createDirectories(folder.resolve("tokens"));
        Files.writeString(settings, "directories.tokendir = " + tokens + "\nlog.level = ERROR\n");
        var made = new ProcessBuilder(List.of(
                        "softhsm2-util",
                        "--init-token",
                        "--free",
                        "--label",
                        "counterpoint",
                        "--so-pin",
                        "so-pin-12",
                        "--pin",
                        PIN))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("softhsm2-util.log").toFile())
                .start();
        if (!made.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || made.exitValue() != 0) {
            throw new IOException(Files.readString(folder.resolve("softhsm2-util.log")));
        }
        var pin = folder.resolve("pin");
        PrivateFile.write(pin, PIN + "\n");
        return new TestToken(folder, configuration(folder.resolve("pkcs11.cfg"), "root", false), pin);
    }

    private static Path configuration(Path file, String name, boolean extractable) throws IOException {
        return Files.writeString(file, """
            name = %s
            library = %s
            slotListIndex = 0
            attributes(generate, CKO_SECRET_KEY, CKK_AES) = {
              CKA_SENSITIVE = %b
              CKA_EXTRACTABLE = %b
            }
            """.formatted(name, LIBRARY, !extractable, extractable));
    }

    /// Makes a key in the token.
    public TestToken withKey(String label) {
        return with(label, configuration, "AES");
    }

    TestToken withExtractableKey(String label) throws IOException {
        return with(label, configuration(folder.resolve("extractable.cfg"), "extractable", true), "AES");
    }

    TestToken withOtherKey(String label) {
        return with(label, configuration, "DESede");
    }

    /// Ends all sessions of this process, as a token may.
    void logOut() throws LoginException {
        ((AuthProvider) Security.getProvider("SunPKCS11").configure(configuration.toString())).logout();
    }

    private TestToken with(String label, Path from, String algorithm) {
        try {
            var provider = Security.getProvider("SunPKCS11").configure(from.toString());
            var store = KeyStore.getInstance("PKCS11", provider);
            store.load(null, PIN.toCharArray());
            var generator = KeyGenerator.getInstance(algorithm, provider);
            generator.init(algorithm.equals("AES") ? 256 : 168);
            store.setKeyEntry(label, generator.generateKey(), null, null);
            return this;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
