package dev.counterpoint.local;

import dev.counterpoint.engine.llama.DemonstrationModel;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.StartupCache;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the launcher tells the services: every variable of their environment and every flag of their JVMs.
///
/// @param issuer of staff's tokens
/// @param kafka `host:port` of the broker
/// @param postgres the databases' server, as in `jdbc:postgresql://127.0.0.1:5432`
record ServiceEnvironment(
        Options options, LocalSecrets secrets, StaffIssuer issuer, StateFolder state, String kafka, String postgres) {
    private static final Duration TOKEN_LIFETIME = Duration.ofDays(30);

    /// Less than the launcher waits for a program to end.
    private static final Duration DRAIN = Duration.ofSeconds(15);

    /// For all: they listen on this machine only.
    private Map<String, String> common(int port) {
        var variables = new HashMap<String, String>();
        variables.put("KAFKA_BOOTSTRAP_SERVERS", kafka);
        variables.put("COUNTERPOINT_KEYS_DIR", state.sealingKeys().toString());
        variables.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        variables.put("QUARKUS_HTTP_PORT", String.valueOf(port));
        return variables;
    }

    private void database(Map<String, String> variables, DatabaseRoles roles) {
        variables.put("QUARKUS_DATASOURCE_JDBC_URL", postgres + "/" + roles.database());
        variables.put("QUARKUS_DATASOURCE_USERNAME", roles.user());
        variables.put("QUARKUS_DATASOURCE_PASSWORD", secrets.databasePassword(roles.user()));
        variables.put("QUARKUS_FLYWAY_USERNAME", roles.owner());
        variables.put("QUARKUS_FLYWAY_PASSWORD", secrets.databasePassword(roles.owner()));
    }

    Map<String, String> gateway(int port) {
        var variables = common(port);
        database(variables, DatabaseRoles.GATEWAY);
        variables.put("GATEWAY_DRAIN_TIMEOUT", DRAIN.toSeconds() + "s");
        variables.put("GATEWAY_ADMIN_TOKEN", secrets.adminToken());
        variables.put("GATEWAY_CONSOLE", "true");
        variables.put("GATEWAY_DEFAULT_REASONING", options.reasoning());
        variables.put("GATEWAY_BOOTSTRAP_KEYS_FILE", state.bootstrapKeys().toString());
        // Codex asks for a model of OpenAI unless its settings name another one.
        variables.put("GATEWAY_MODEL_ALIASES", "gpt-*=" + options.servedModel());
        // Nobody but this machine reaches the suite, and each request needs a key.
        variables.put("QUARKUS_HTTP_CORS_ENABLED", "true");
        variables.put("QUARKUS_HTTP_CORS_ORIGINS", "*");
        return variables;
    }

    Map<String, String> worker(int port) {
        var variables = common(port);
        variables.put("WORKER_ENGINE", options.engine());
        options.model().map(Path::toString).ifPresent(path -> variables.put("WORKER_MODEL_PATH", path));
        if (options.model().filter(DemonstrationModel::isAt).isPresent()) {
            variables.put("WORKER_MODEL_DESCRIPTION", DemonstrationModel.TEXT);
            // What its makers advise.
            variables.put("WORKER_LLAMA_TEMPERATURE", "0.2");
            variables.put("WORKER_LLAMA_TOP_P", "0.9");
            // It rarely ends a long text by itself.
            variables.put("WORKER_LLAMA_CONTEXT_LENGTH", "4096");
            variables.put("WORKER_LLAMA_CONTEXT_TOKENS", "16384");
        }
        options.modelName().ifPresent(name -> variables.put("WORKER_MODEL_NAME", name));
        options.upstreamModel().ifPresent(name -> variables.put("WORKER_REMOTE_UPSTREAM_MODEL", name));
        options.engineUrl().ifPresent(url -> variables.put("WORKER_ENGINE_URL", url));
        return variables;
    }

    Map<String, String> summarizer(int port) {
        return common(port);
    }

    Map<String, String> audit(int port) {
        var variables = common(port);
        database(variables, DatabaseRoles.AUDIT);
        variables.put("AUDIT_ROOT_KEYSET_FILE", state.auditRootKeyset().toString());
        variables.put("AUDIT_ROOT_PASSPHRASE_FILE", state.auditRootPassphrase().toString());
        variables.put("QUARKUS_OIDC_PUBLIC_KEY", issuer.publicKey());
        variables.put("QUARKUS_OIDC_TOKEN_ISSUER", StaffIssuer.ISSUER);
        variables.put("QUARKUS_OIDC_TOKEN_AUDIENCE", StaffIssuer.AUDIENCE);
        return variables;
    }

    /// The audit service with its console.
    ///
    /// @param console address of the issuer where people sign in
    Map<String, String> audit(int port, String console) {
        var variables = new HashMap<>(audit(port));
        variables.put("AUDIT_CONSOLE_ISSUER", console);
        variables.put("AUDIT_CONSOLE_CLIENT_SECRET", secrets.consoleClientSecret());
        // Nobody but this machine reaches the suite.
        variables.put("AUDIT_CONSOLE_SECURE_COOKIES", "false");
        return variables;
    }

    /// The variables of `.state/env`. `COUNTERPOINT_URL` is the gateway's root; OpenAI's clients read `OPENAI_…`.
    Map<String, String> exports(String gatewayUrl, String auditUrl) {
        return Map.of(
                "OPENAI_BASE_URL", gatewayUrl + "/v1",
                "OPENAI_API_KEY", secrets.apiKey(),
                "COUNTERPOINT_URL", gatewayUrl,
                "COUNTERPOINT_API_KEY", secrets.apiKey(),
                "COUNTERPOINT_RAW_API_KEY", secrets.rawApiKey(),
                "COUNTERPOINT_AUDIT_URL", auditUrl,
                "COUNTERPOINT_COMPLIANCE_TOKEN",
                        issuer.token("local-compliance", StaffIssuer.COMPLIANCE_ROLES, TOKEN_LIFETIME),
                "COUNTERPOINT_APPROVER_TOKEN",
                        issuer.token("local-approver", StaffIssuer.APPROVER_ROLES, TOKEN_LIFETIME),
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
        // A core would be as large as the model, and holds what was said.
        all.add("-XX:-CreateCoredumpOnCrash");
        all.addAll(StartupCache.SERVICE_FLAGS);
        return List.copyOf(all);
    }
}
