package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceEnvironmentTest {
    @TempDir
    Path folder;

    @Test
    void theAuditServiceHasADatabaseAndKeysOfItsOwnAndNoSecretInItsEnvironmentButThePassword() {
        // Given
        var environment = environment();
        // When
        var audit = environment.audit(1);
        // Then
        assertThat(audit)
                .containsEntry("QUARKUS_DATASOURCE_JDBC_URL", "jdbc:postgresql://127.0.0.1:5/audit")
                .containsEntry("QUARKUS_OIDC_PUBLIC_KEY", environment.issuer().publicKey())
                .containsEntry(
                        "AUDIT_ROOT_KEYSET_FILE",
                        environment.state().auditRootKeyset().toString())
                .containsEntry(
                        "AUDIT_ROOT_PASSPHRASE_FILE",
                        environment.state().auditRootPassphrase().toString());
        assertThat(environment.gateway(1))
                .containsEntry("QUARKUS_DATASOURCE_JDBC_URL", "jdbc:postgresql://127.0.0.1:5/gateway");
    }

    @Test
    @DisplayName("M3 no service gets the superuser or another service's roles")
    void everyServiceGetsItsOwnRolesOnly() {
        // Given
        var environment = environment();
        var secrets = environment.secrets();
        // When
        var gateway = environment.gateway(1);
        var audit = environment.audit(1);
        // Then
        assertThat(gateway)
                .containsEntry("QUARKUS_DATASOURCE_USERNAME", "counterpoint_gateway")
                .containsEntry("QUARKUS_FLYWAY_USERNAME", "counterpoint_gateway_owner")
                .doesNotContainValue(secrets.postgresPassword())
                .doesNotContainValue(secrets.databasePassword("counterpoint_audit"))
                .doesNotContainValue(secrets.databasePassword("counterpoint_audit_owner"));
        assertThat(audit)
                .containsEntry("QUARKUS_DATASOURCE_USERNAME", "counterpoint_audit")
                .containsEntry("QUARKUS_FLYWAY_USERNAME", "counterpoint_audit_owner")
                .doesNotContainValue(secrets.postgresPassword())
                .doesNotContainValue(secrets.databasePassword("counterpoint_gateway"))
                .doesNotContainValue(secrets.databasePassword("counterpoint_gateway_owner"));
        assertThat(environment.worker(1)).doesNotContainKey("QUARKUS_DATASOURCE_PASSWORD");
    }

    @Test
    void clientsThatNameAModelOfOpenAiAndPagesOfAnyOriginAreServed() {
        assertThat(environment().gateway(1))
                .containsEntry("GATEWAY_MODEL_ALIASES", "gpt-*=counterpoint-simulated")
                .containsEntry("QUARKUS_HTTP_CORS_ENABLED", "true")
                .containsEntry("QUARKUS_HTTP_CORS_ORIGINS", "*");
        assertThat(Options.parse("--engine", "simulated", "--model-name", "mine")
                        .servedModel())
                .isEqualTo("mine");
    }

    @Test
    void whoApprovesAnErasureNeitherReadsNorAsksForOne() {
        assertThat(StaffIssuer.APPROVER_ROLES)
                .doesNotContain("compliance.read", "compliance.search", "compliance.erase");
        assertThat(StaffIssuer.COMPLIANCE_ROLES).doesNotContain("compliance.approve");
    }

    @Test
    void scriptsGetATokenForEachOfTheTwo() {
        var exports = environment().exports("http://gateway", "http://audit");

        assertThat(exports.get("COUNTERPOINT_COMPLIANCE_TOKEN")).contains(".");
        assertThat(exports.get("COUNTERPOINT_APPROVER_TOKEN"))
                .contains(".")
                .isNotEqualTo(exports.get("COUNTERPOINT_COMPLIANCE_TOKEN"));
        assertThat(exports).containsEntry("COUNTERPOINT_AUDIT_URL", "http://audit");
    }

    @Test
    void modelsListSaysWhatTheDemonstrationModelIs() throws IOException {
        var file = Files.createFile(folder.resolve("SmolLM2-135M-Instruct.Q4_1.gguf"));
        var other = Files.createFile(folder.resolve("mine.gguf"));

        assertThat(environment(Options.parse("--model", file.toString())).worker(1))
                .containsEntry("WORKER_ENGINE", "llama")
                .containsEntry("WORKER_MODEL_PATH", file.toString())
                .containsEntry(
                        "WORKER_MODEL_DESCRIPTION",
                        "SmolLM2-135M-Instruct, a small demonstration model on the CPU; not gpt-oss");
        assertThat(environment(Options.parse("--model", other.toString())).worker(1))
                .containsEntry("WORKER_MODEL_PATH", other.toString())
                .doesNotContainKey("WORKER_MODEL_DESCRIPTION");
    }

    private ServiceEnvironment environment() {
        return environment(Options.parse("--engine", "simulated"));
    }

    private ServiceEnvironment environment(Options options) {
        var state = StateFolder.in(folder.resolve(".state"));
        return new ServiceEnvironment(
                options,
                LocalSecrets.of(state),
                StaffIssuer.of(state),
                state,
                "127.0.0.1:4",
                "jdbc:postgresql://127.0.0.1:5");
    }
}
