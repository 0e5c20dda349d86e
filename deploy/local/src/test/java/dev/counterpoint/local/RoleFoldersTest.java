package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.seal.PrivateFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoleFoldersTest {
    private static final List<String> FOLDERS =
            List.of("gateway", "worker", "summarizer", "audit", "kafka", "postgres");

    @TempDir
    Path folder;

    private LocalSecrets secrets;

    @BeforeEach
    void dealOut() throws IOException {
        var state = StateFolder.in(folder.resolve("owner"));
        secrets = LocalSecrets.of(state);
        PrivateFile.write(state.auditRootKeyset(), "a keyset");
        for (var name : FOLDERS) {
            Files.createDirectory(folder.resolve(name));
        }
        new RoleFolders(folder, state).write(secrets, StaffIssuer.of(state));
    }

    @Test
    void eachGetsItsOwnPrivateKeysAndNobodyElses() throws IOException {
        assertThat(privateFiles("gateway"))
                .containsExactlyInAnyOrder(
                        "gateway.private.json",
                        "gateway-signing.private.json",
                        "reasoning-mac.private.json",
                        "subject-tokens.private.json");
        assertThat(privateFiles("worker"))
                .containsExactlyInAnyOrder(
                        "worker.private.json",
                        "worker-signing.private.json",
                        "reasoning-mac.private.json",
                        "reasoning.private.json");
        assertThat(privateFiles("summarizer"))
                .containsExactlyInAnyOrder("summarizer.private.json", "summarizer-signing.private.json");
        assertThat(privateFiles("audit"))
                .containsExactlyInAnyOrder(
                        "audit.private.json", "audit-signing.private.json", "subject-tokens.private.json");
        for (var role : FOLDERS.subList(0, 4)) {
            assertThat(names(role))
                    .filteredOn(name -> name.endsWith(".bus.properties"))
                    .containsExactly(role + ".bus.properties");
            assertThat(names(role))
                    .filteredOn(name -> name.endsWith(".public.json"))
                    .hasSize(8);
        }
        assertThat(names("kafka")).containsExactly("server.properties");
        assertThat(names("postgres")).containsExactly("password");
    }

    @Test
    void onlyTheBrokersFileMayBeReadByAnotherUser() throws IOException {
        for (var name : FOLDERS) {
            for (var file : files(folder.resolve(name))) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as(file.toString())
                        .isEqualTo(name.equals("kafka") ? "rw-r--r--" : "rw-------");
            }
        }
    }

    @Test
    void aServiceLearnsThePasswordsOfItsOwnRolesAlone() throws IOException {
        assertThat(settings("gateway", "service.properties"))
                .containsEntry("quarkus.datasource.username", "counterpoint_gateway")
                .containsEntry("quarkus.datasource.password", secrets.databasePassword("counterpoint_gateway"))
                .containsEntry("gateway.admin-token", secrets.adminToken());
        assertThat(settings("audit", "service.properties"))
                .containsEntry("quarkus.flyway.password", secrets.databasePassword("counterpoint_audit_owner"))
                .containsKey("quarkus.oidc.public-key")
                .doesNotContainKey("gateway.admin-token");
        assertThat(settings("worker", "service.properties")).isEmpty();
    }

    @Test
    void whatTheOwnerHasLostIsNamedAndNothingIsChanged() throws IOException {
        // Given
        var owner = StateFolder.in(folder.resolve("owner"));
        var roles = new RoleFolders(folder, owner);
        PrivateFile.write(folder.resolve("audit").resolve("audit-root-passphrase"), "the last copy");
        roles.requireOwner();
        Files.delete(owner.auditRootPassphrase());
        Files.delete(owner.sealingKeys().resolve("reasoning.private.json"));
        // Then
        assertThatThrownBy(roles::requireOwner)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("audit-root-passphrase, reasoning.private.json")
                .hasMessageContaining("audit/audit-root-passphrase, worker/reasoning.private.json");
        assertThat(folder.resolve("audit").resolve("audit-root-passphrase")).hasContent("the last copy");
        assertThat(owner.auditRootPassphrase()).doesNotExist();
    }

    @Test
    void aSuiteThatNeverRanHasLostNothing() throws IOException {
        var empty = Files.createDirectory(folder.resolve("empty"));

        new RoleFolders(empty, StateFolder.in(empty.resolve("owner"))).requireOwner();
    }

    @Test
    void theBrokerLetsNobodyInWithoutAPassword() throws IOException {
        var broker = settings("kafka", "server.properties");

        assertThat(broker.getProperty("listener.security.protocol.map"))
                .isEqualTo("CONTROLLER:SASL_PLAINTEXT,CLIENTS:SASL_PLAINTEXT");
        assertThat(broker)
                .containsEntry("advertised.listeners", "CLIENTS://kafka:9092")
                .containsEntry("listeners", "CLIENTS://:9092,CONTROLLER://127.0.0.1:9093")
                .containsEntry("allow.everyone.if.no.acl.found", "false")
                .containsEntry("log.dirs", "/var/lib/kafka/data");
    }

    private List<String> privateFiles(String role) throws IOException {
        return names(role).stream()
                .filter(name -> name.endsWith(".private.json"))
                .toList();
    }

    private List<String> names(String role) throws IOException {
        return files(folder.resolve(role)).stream()
                .map(file -> file.getFileName().toString())
                .toList();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private Properties settings(String role, String file) throws IOException {
        var settings = new Properties();
        settings.load(new StringReader(Files.readString(folder.resolve(role).resolve(file))));
        return settings;
    }
}
