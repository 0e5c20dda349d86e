package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.RepositoryRoot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The misconfigurations of a machine that `up` names.
class StartCheckTest {
    private static final long PLENTY = 1L << 40;
    private static final long GIB = 1L << 30;

    @TempDir
    private Path folder;

    static Stream<Arguments> machines() {
        return Stream.of(
                Arguments.of("memory-short", new StartCheck(GIB, PLENTY, PLENTY)),
                Arguments.of("disk-short", new StartCheck(PLENTY, GIB, PLENTY)),
                Arguments.of("open-files-few", new StartCheck(PLENTY, PLENTY, 1024)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("machines")
    void aShortMachineIsNamed(String code, StartCheck machine) {
        assertThat(machine.warnings()).singleElement().asString().startsWith(code + ": ");
    }

    @Test
    void aGoodMachineHasNone() throws IOException {
        var state = suiteThatHasRun();

        assertThat(new StartCheck(PLENTY, PLENTY, PLENTY).warnings()).isEmpty();
        assertThat(StartCheck.ports(IntStream.of(1, 2), _ -> true, _ -> "")).isEmpty();
        assertThat(StartCheck.secrets(state)).isEmpty();
    }

    @Test
    void thisMachineIsMeasured() {
        var here = StartCheck.of(folder);

        assertThat(List.of(here.memoryBytes(), here.diskBytes(), here.openFilesMax()))
                .allSatisfy(measured -> assertThat(measured).isPositive());
    }

    @Test
    void portTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            var ports = IntStream.of(taken.getLocalPort(), FreePort.find());

            assertThat(StartCheck.ports(ports, FreePort::isFree, _ -> "vLLM"))
                    .containsExactly("port-taken: port " + taken.getLocalPort()
                            + " on 127.0.0.1 is taken by vLLM; choose others with --port N");
        }
    }

    @Test
    void aLostSecretIsNamedAndNotMadeAnew() throws IOException {
        // Given
        var state = suiteThatHasRun();
        Files.delete(state.auditRootPassphrase());
        // When
        var found = StartCheck.secrets(state);
        // Then
        assertThat(found).singleElement().asString().startsWith("secret-missing: " + state.auditRootPassphrase());
        assertThat(state.auditRootPassphrase()).doesNotExist();
    }

    @Test
    void aSuiteThatHasNeverRunLacksNoSecret() {
        assertThat(StartCheck.secrets(StateFolder.in(folder))).isEmpty();
    }

    private StateFolder suiteThatHasRun() throws IOException {
        var state = StateFolder.in(folder);
        LocalSecrets.of(state);
        StateFolder.write(state.auditRootKeyset(), "a keyset");
        Files.createDirectories(state.postgres());
        return state;
    }

    /// `java-old`: the scripts ask `find-jdk`, for the launcher itself does not run on an older Java.
    @Test
    void anOldJavaIsNamedOrPassedOver() throws Exception {
        // Given
        var old = folder.resolve("jdk-21");
        Files.createDirectories(old.resolve("bin"));
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"21.0.1\"\n");
        assertThat(Files.createFile(old.resolve("bin/javac")).toFile().setExecutable(true))
                .isTrue();
        var find = new ProcessBuilder(
                RepositoryRoot.find().resolve(".mvn/find-jdk").toString());
        find.environment().put("JAVA_HOME", old.toString());
        // When
        var process = find.redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        // Then
        assertThat(said.strip()).isNotEqualTo(old.toString());
        assertThat(process.waitFor() == 0 || said.contains("Counterpoint needs a JDK 25 or newer and found none"))
                .isTrue();
    }
}
