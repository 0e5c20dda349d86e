package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WitnessMainTest {
    @TempDir
    Path folder;

    @Test
    void keepsItsKeysForItselfAndOverARestart() throws Exception {
        var log = NoteSigner.generate("audit.example/log", SignatureType.ED25519);
        Files.writeString(folder.resolve("logs"), "# logs\n\n" + log.verifier() + "\n");
        runOnce();
        var ed25519 = Files.readString(folder.resolve("ed25519.key"));
        var mlDsa = Files.readString(folder.resolve("ml-dsa-44.key"));
        runOnce();
        assertThat(Files.readString(folder.resolve("ed25519.key"))).isEqualTo(ed25519);
        assertThat(Files.readString(folder.resolve("ml-dsa-44.key"))).isEqualTo(mlDsa);
        assertThat(NoteSigner.parse(ed25519).verifier().type()).isEqualTo(SignatureType.ED25519_COSIGNATURE);
        assertThat(Files.getPosixFilePermissions(folder.resolve("ml-dsa-44.key")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    @Test
    void refusesToRunUnderAnotherNameOrWithoutItsMemory() throws Exception {
        Files.createFile(folder.resolve("logs"));
        runOnce();
        assertThat(start("other.example/1").waitFor()).isEqualTo(1);
        Files.delete(folder.resolve("checkpoints"));
        assertThat(start("w.example/1").waitFor()).isEqualTo(1);
    }

    private Process start(String name) throws Exception {
        return new ProcessBuilder(command(folder, name, 0)).start();
    }

    private void runOnce() throws Exception {
        var process = start("w.example/1");
        ForeignWitnessTest.awaitLine(process, "listening");
        process.destroy();
        process.waitFor();
    }

    static List<String> command(Path folder, String name, int port) throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var source = WitnessServer.class.getProtectionDomain().getCodeSource();
        var classes = Path.of(source.getLocation().toURI()).toString();
        var main = WitnessServer.class.getName();
        return List.of(java, "-cp", classes, main, folder.toString(), name, Integer.toString(port));
    }
}
