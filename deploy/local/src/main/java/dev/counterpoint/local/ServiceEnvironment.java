package dev.counterpoint.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the launcher tells the services: every variable of their environment and every flag of their JVMs.
///
/// @param kafka `host:port` of the broker
/// @param jdbcUrl of the gateways' database
/// @param databaseUser its owner
record ServiceEnvironment(
        Options options, Secrets secrets, State state, String kafka, String jdbcUrl, String databaseUser) {

    /// For all: they listen on this machine only.
    private Map<String, String> common(int port) {
        var variables = new HashMap<String, String>();
        variables.put("KAFKA_BOOTSTRAP_SERVERS", kafka);
        variables.put("COUNTERPOINT_KEYS_DIR", state.sealingKeys().toString());
        variables.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        variables.put("QUARKUS_HTTP_PORT", String.valueOf(port));
        return variables;
    }

    Map<String, String> gateway(int port) {
        var variables = common(port);
        variables.put("QUARKUS_DATASOURCE_JDBC_URL", jdbcUrl);
        variables.put("QUARKUS_DATASOURCE_USERNAME", databaseUser);
        variables.put("QUARKUS_DATASOURCE_PASSWORD", secrets.postgresPassword());
        variables.put("GATEWAY_ADMIN_TOKEN", secrets.adminToken());
        variables.put("GATEWAY_DEFAULT_REASONING", options.reasoning());
        variables.put("GATEWAY_BOOTSTRAP_KEYS_FILE", state.bootstrapKeys().toString());
        return variables;
    }

    Map<String, String> worker(int port) {
        var variables = common(port);
        variables.put("WORKER_ENGINE", options.engine());
        options.model().map(Path::toString).ifPresent(path -> variables.put("WORKER_MODEL_PATH", path));
        options.engineUrl().ifPresent(url -> variables.put("WORKER_ENGINE_URL", url));
        return variables;
    }

    Map<String, String> summarizer(int port) {
        return common(port);
    }

    Map<String, String> audit(int port) {
        var variables = common(port);
        variables.put("AUDIT_COMPLIANCE_TOKEN", secrets.complianceToken());
        variables.put("AUDIT_APPROVER_TOKEN", secrets.approverToken());
        return variables;
    }

    /// What `.state/env` gives to scripts. The URL is the gateway's root: clients add `/v1`.
    Map<String, String> exports(String gatewayUrl, String auditUrl) {
        return Map.of(
                "COUNTERPOINT_URL", gatewayUrl,
                "COUNTERPOINT_API_KEY", secrets.apiKey(),
                "COUNTERPOINT_RAW_API_KEY", secrets.rawApiKey(),
                "COUNTERPOINT_AUDIT_URL", auditUrl,
                "COUNTERPOINT_COMPLIANCE_TOKEN", secrets.complianceToken(),
                "COUNTERPOINT_APPROVER_TOKEN", secrets.approverToken(),
                "COUNTERPOINT_ADMIN_TOKEN", secrets.adminToken());
    }

    /// For gateways and workers, which carry the tokens.
    static List<String> busyJvm() {
        return jvm("-Xms64m", "-Xmx512m");
    }

    /// For the services beside the path.
    static List<String> quietJvm() {
        return jvm("-Xms32m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    private static List<String> jvm(String... flags) {
        var all = new ArrayList<>(List.of(flags));
        all.add("-XX:+ExitOnOutOfMemoryError");
        all.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        all.add("--enable-native-access=ALL-UNNAMED");
        all.add("--sun-misc-unsafe-memory-access=allow");
        return List.copyOf(all);
    }
}
