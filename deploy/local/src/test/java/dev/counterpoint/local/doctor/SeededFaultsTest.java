package dev.counterpoint.local.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.infra.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each misconfiguration that needs no server is found by its name, and nothing else with it.
class SeededFaultsTest {
    private static final long PLENTY = 1L << 40;
    private static final MachineChecks GOOD = new MachineChecks(25, PLENTY, PLENTY, PLENTY);

    @TempDir
    private Path folder;

    private Path keys;

    @BeforeEach
    void makeKeys() throws IOException {
        keys = folder.resolve("keys");
        GenerateKeys.into(keys);
        ProvisionBus.accounts(keys);
    }

    private static DiagnosedService service(ServiceRole role, Path keys) {
        return new DiagnosedService(role, Map.of("COUNTERPOINT_KEYS_DIR", keys.toString()));
    }

    private List<DiagnosedService> all() {
        return Arrays.stream(ServiceRole.values())
                .map(role -> service(role, keys))
                .toList();
    }

    private static List<String> names(List<Misconfiguration> found) {
        assertThat(found).allSatisfy(each -> {
            assertThat(each.what()).isNotBlank();
            assertThat(each.remedy()).isNotBlank();
        });
        return found.stream().map(Misconfiguration::name).distinct().toList();
    }

    @Test
    void aGoodSetupHasNone() {
        assertThat(GOOD.look(false)).isEmpty();
        assertThat(KeyChecks.look(all())).isEmpty();
        assertThat(MachineChecks.ports(List.of(1, 2), _ -> true)).isEmpty();
    }

    @Test
    void thisMachineIsMeasured() throws IOException {
        var here = MachineChecks.here(folder.resolve("not/there/yet"));

        assertThat(here.java()).isGreaterThanOrEqualTo(25);
        assertThat(here.memoryBytes()).isPositive();
        assertThat(here.diskBytes()).isPositive();
        assertThat(here.openFilesMax()).isPositive();
    }

    @Test
    void javaOld() {
        assertThat(names(new MachineChecks(21, PLENTY, PLENTY, PLENTY).look(false)))
                .containsExactly("java-old");
    }

    @Test
    void memoryShort() {
        assertThat(names(new MachineChecks(25, 1 << 30, PLENTY, PLENTY).look(false)))
                .containsExactly("memory-short");
    }

    @Test
    void diskShort() {
        assertThat(names(new MachineChecks(25, PLENTY, 1 << 30, PLENTY).look(false)))
                .containsExactly("disk-short");
    }

    @Test
    void openFilesFew() {
        assertThat(names(new MachineChecks(25, PLENTY, PLENTY, 1024).look(false)))
                .containsExactly("open-files-few");
    }

    @Test
    void portTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            var ports = List.of(taken.getLocalPort(), FreePort.find());

            assertThat(MachineChecks.ports(ports, FreePort::isFree))
                    .singleElement()
                    .matches(each -> each.name().equals("port-taken"))
                    .matches(each -> each.what().contains("" + taken.getLocalPort()));
        }
    }

    @Test
    void keysFolderMissing() {
        var elsewhere = service(ServiceRole.GATEWAY, folder.resolve("elsewhere"));

        assertThat(names(KeyChecks.look(List.of(elsewhere)))).containsExactly("keys-folder-missing");
    }

    @Test
    void keyMissing() throws IOException {
        Files.delete(keys.resolve("worker-signing.private.json"));

        assertThat(KeyChecks.look(all()))
                .singleElement()
                .matches(each -> each.name().equals("key-missing"))
                .matches(each -> each.what().contains("worker-signing.private.json"));
    }

    @Test
    void keyOpenToOthers() throws IOException {
        var file = keys.resolve("gateway.bus.properties");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(KeyChecks.look(all()))
                .singleElement()
                .matches(each -> each.name().equals("key-open-to-others"))
                .matches(each -> each.what().contains(file.toString()));
    }

    @Test
    void keyDamaged() throws IOException {
        Files.writeString(keys.resolve("audit.public.json"), "{\"primaryKeyId\":1}");

        assertThat(names(KeyChecks.look(all()))).containsExactly("key-damaged");
    }

    @Test
    void keysApart() throws IOException {
        // Given: a worker with the keys of another deployment
        var other = folder.resolve("other");
        GenerateKeys.into(other);
        // When
        var found = KeyChecks.look(List.of(service(ServiceRole.GATEWAY, keys), service(ServiceRole.WORKER, other)));
        // Then
        assertThat(names(found)).containsExactly("keys-apart");
        assertThat(found).anyMatch(each -> each.what().startsWith("the worker cannot read what the gateway writes"));
    }

    /// One key that was rotated on one side only.
    @Test
    void aMacOfSealedReasoningThatDiffersIsKeysApart() throws IOException {
        var other = folder.resolve("other");
        Files.createDirectory(other);
        try (var files = Files.list(keys)) {
            for (var file : files.toList()) {
                Files.copy(file, other.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.delete(other.resolve("reasoning-mac.private.json"));
        GenerateKeys.into(other);

        var found = KeyChecks.look(List.of(service(ServiceRole.GATEWAY, keys), service(ServiceRole.WORKER, other)));

        assertThat(found)
                .singleElement()
                .matches(each -> each.name().equals("keys-apart"))
                .matches(each -> each.what().startsWith("the gateway cannot read what the worker writes"));
    }

    @Test
    void settingsFileUnreadable() throws IOException {
        var good = Files.writeString(folder.resolve("service.properties"), "a=b");
        var none = folder.resolve("none.properties");

        assertThat(SettingsFiles.look(Map.of("QUARKUS_CONFIG_LOCATIONS", good.toString())))
                .isEmpty();
        assertThat(SettingsFiles.look(Map.of("QUARKUS_CONFIG_LOCATIONS", good + "," + none)))
                .singleElement()
                .matches(each -> each.name().equals("settings-file-unreadable"))
                .matches(each -> each.what().contains(none.toString()));
    }

    @Test
    void aServiceHasTheSettingsOfItsFilesTooAndVariablesWin() throws IOException {
        var file = Files.writeString(
                folder.resolve("service.properties"),
                "quarkus.datasource.password=of-the-file\nquarkus.datasource.username=file\n");
        var audit = new DiagnosedService(
                ServiceRole.AUDIT,
                Map.of("QUARKUS_CONFIG_LOCATIONS", file.toUri().toString(), "QUARKUS_DATASOURCE_USERNAME", "variable"));

        assertThat(audit.setting("QUARKUS_DATASOURCE_PASSWORD")).contains("of-the-file");
        assertThat(audit.setting("QUARKUS_DATASOURCE_USERNAME")).contains("variable");
    }

    @Test
    void auditRootMissing() throws IOException {
        var passphrase = Files.createFile(
                folder.resolve("passphrase"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        var audit = new DiagnosedService(
                ServiceRole.AUDIT,
                Map.of(
                        "AUDIT_ROOT_KEYSET_FILE", folder.resolve("none").toString(),
                        "AUDIT_ROOT_PASSPHRASE_FILE", passphrase.toString()));

        assertThat(names(KeyChecks.auditRoot(audit))).containsExactly("audit-root-missing");
    }

    @Test
    void busUnreachable() {
        var gateway = new DiagnosedService(
                ServiceRole.GATEWAY,
                Map.of(
                        "COUNTERPOINT_KEYS_DIR",
                        keys.toString(),
                        "KAFKA_BOOTSTRAP_SERVERS",
                        "127.0.0.1:" + FreePort.find()));

        assertThat(names(BusChecks.look(gateway))).containsExactly("bus-unreachable");
    }

    @Test
    void engineSilentAndEngineThatAnswers() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        try {
            var well = "http://127.0.0.1:" + server.getAddress().getPort();
            var silent = "http://127.0.0.1:" + FreePort.find();

            assertThat(EngineChecks.look(worker("vllm", "WORKER_ENGINE_URL", well)))
                    .isEmpty();
            assertThat(EngineChecks.look(worker("vllm", "WORKER_ENGINE_URL", well + "," + silent)))
                    .singleElement()
                    .matches(each -> each.name().equals("engine-silent"))
                    .matches(each -> each.what().startsWith(silent));
            assertThat(names(EngineChecks.look(worker("chat", "X", "none")))).containsExactly("engine-silent");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anAddressIsShownWithoutThePasswordInIt() {
        var silent = "127.0.0.1:" + FreePort.find();

        var found = EngineChecks.look(worker("vllm", "WORKER_ENGINE_URL", "http://me:hush@" + silent + "/v1?key=hush"));

        assertThat(names(found)).containsExactly("engine-silent");
        assertThat(found.toString()).contains("http://" + silent + "/v1 does").doesNotContain("hush");
    }

    @Test
    void engineUnfit() {
        assertThat(EngineChecks.told("m by vLLM; 1 of 2 servers are well")).isEmpty();
        assertThat(names(EngineChecks.told("m by vLLM; left out: http://gpu-2: it has a model that is not gpt-oss")))
                .containsExactly("engine-unfit");
    }

    @Test
    void engineContext() {
        var small = "context of 4096 tokens by a server, 131072 by worker.remote.context-length";

        var found = EngineChecks.told("m   m by vLLM 0.32.0\n            " + small);

        assertThat(names(found)).containsExactly("engine-context");
        assertThat(found.getFirst().what()).isEqualTo(small);
        assertThat(names(EngineChecks.told("m by vLLM; " + small + "; 1 of 2 servers left out, because one is ill")))
                .containsExactly("engine-unfit", "engine-context");
    }

    @Test
    void modelFile() throws IOException {
        var model = Files.writeString(folder.resolve("model.gguf"), "GGUF and more");
        var other = Files.writeString(folder.resolve("model.bin"), "PK");

        assertThat(EngineChecks.look(worker("llama", "WORKER_MODEL_PATH", model.toString())))
                .isEmpty();
        assertThat(names(EngineChecks.look(worker("llama", "WORKER_MODEL_PATH", other.toString()))))
                .containsExactly("model-file");
        assertThat(names(EngineChecks.look(worker("llama", "X", "none")))).containsExactly("model-file");
    }

    private static DiagnosedService worker(String engine, String variable, String value) {
        return new DiagnosedService(ServiceRole.WORKER, Map.of("WORKER_ENGINE", engine, variable, value));
    }

    @Test
    void readsTimesAsTheServicesDo() {
        var times = Map.of("A", "10m", "B", "1h", "C", "90", "D", "PT5S", "E", "250ms", "F", "2d");
        var service = new DiagnosedService(ServiceRole.GATEWAY, times);

        assertThat(times.keySet().stream().sorted().map(name -> BusChecks.duration(service, name, "")))
                .containsExactly(
                        Duration.ofMinutes(10),
                        Duration.ofHours(1),
                        Duration.ofSeconds(90),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(250),
                        Duration.ofDays(2));
    }
}
