package dev.counterpoint.audit.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.exceptionfactory.jagged.framework.stream.StandardDecryptingChannelFactory;
import com.exceptionfactory.jagged.x25519.X25519KeyPairGenerator;
import com.exceptionfactory.jagged.x25519.X25519RecipientStanzaReaderFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.SigningKeyPairs;
import dev.counterpoint.cli.Counterpoint;
import dev.counterpoint.tlog.SignatureType;
import dev.counterpoint.tlog.VerifierKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.eclipse.microprofile.config.ConfigProvider;

/// An export as its recipient has it: decrypted by Debian's age where that is installed, and in a folder.
record ExportFile(Path zip) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// A key pair of age.
    record Identity(String secret, String recipient) {
        static Identity create() throws GeneralSecurityException {
            var pair = new X25519KeyPairGenerator().generateKeyPair();
            return new Identity(
                    new String(pair.getPrivate().getEncoded(), UTF_8),
                    new String(pair.getPublic().getEncoded(), UTF_8));
        }
    }

    static ExportFile decrypted(byte[] sealed, Identity identity, Path folder) throws Exception {
        var zip = Files.createTempFile(folder, "export", ".zip");
        var age = age();
        if (age == null) {
            var readers = List.of(X25519RecipientStanzaReaderFactory.newRecipientStanzaReader(identity.secret()));
            try (var plain = new StandardDecryptingChannelFactory()
                    .newDecryptingChannel(Channels.newChannel(new ByteArrayInputStream(sealed)), readers)) {
                Files.write(zip, Channels.newInputStream(plain).readAllBytes());
            }
            return new ExportFile(zip);
        }
        var key = Files.writeString(folder.resolve("identity"), identity.secret() + "\n");
        var file = Files.write(folder.resolve("export.age"), sealed);
        var run = new ProcessBuilder(age.toString(), "-d", "-i", key.toString(), "-o", zip.toString(), file.toString())
                .redirectErrorStream(true)
                .start();
        var said = new String(run.getInputStream().readAllBytes(), UTF_8);
        assertThat(run.waitFor()).as(said).isZero();
        return new ExportFile(zip);
    }

    private static @org.jspecify.annotations.Nullable Path age() {
        return List.of("/usr/bin/age", "/usr/local/bin/age").stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    Map<String, byte[]> files() throws IOException {
        try (var open = new ZipFile(zip.toFile())) {
            var files = new TreeMap<String, byte[]>();
            for (var entry : open.stream().toList()) {
                files.put(entry.getName(), open.getInputStream(entry).readAllBytes());
            }
            return files;
        }
    }

    byte[] file(String name) throws IOException {
        return Objects.requireNonNull(files().get(name), name);
    }

    String text() throws IOException {
        return files().values().stream().map(file -> new String(file, UTF_8)).collect(Collectors.joining("\n"));
    }

    JsonNode content(String response) throws IOException {
        return JSON.readTree(file("content/" + response + ".json"));
    }

    /// The same with one file changed.
    ExportFile with(String name, byte[] content) throws IOException {
        var changed = files();
        changed.put(name, content);
        var to = Files.createTempFile(zip.getParent(), "changed", ".zip");
        try (var out = new ZipOutputStream(Files.newOutputStream(to))) {
            for (var file : changed.entrySet()) {
                out.putNextEntry(new java.util.zip.ZipEntry(file.getKey()));
                out.write(file.getValue());
                out.closeEntry();
            }
        }
        return new ExportFile(to);
    }

    /// What our verifier and the one in the file say.
    List<Integer> verified() throws Exception {
        var config = ConfigProvider.getConfig();
        var keys = SigningKeyPairs.load(config.getValue("audit.keys-dir", Path.class), ServiceRole.AUDIT);
        var key = new VerifierKey(
                        "counterpoint.local/audit",
                        SignatureType.ED25519,
                        keys.getFirst().getPublic())
                .toString();
        var out = new PrintWriter(new StringWriter());
        int ours = Counterpoint.run(out, out, "audit", "verify", "bundle", zip.toString(), "--key", key);
        var script = Files.write(zip.resolveSibling("verify_log.py"), file("verify_log.py"));
        int theirs = new ProcessBuilder("python3", script.toString(), "bundle", zip.toString(), "--key", key)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        return List.of(ours, theirs);
    }
}
