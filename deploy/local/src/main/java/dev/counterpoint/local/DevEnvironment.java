package dev.counterpoint.local;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.RepositoryRoot;
import java.util.Map;
import java.util.OptionalInt;

/// Command that prints, as shell exports, the environment of one more replica of a service beside the running suite;
/// the script `dev` starts that replica by `quarkus:dev`. Exit status: 0 printed, 1 the suite does not run, 2 no such
/// service.
public final class DevEnvironment {
    private static final String SERVICES = "gateway-service, inference-worker, summarizer-service or audit-service";

    private DevEnvironment() {}

    public static void main(String[] arguments) {
        var state = StateFolder.in(RepositoryRoot.find().resolve("deploy/local/.state"));
        var ports = new Ports(state.ports());
        var kafka = ports.kept("kafka");
        var postgres = ports.kept("postgres");
        if (!state.ready().toFile().exists() || kafka.isEmpty() || postgres.isEmpty()) {
            System.err.println("The suite does not run: ./deploy/local/up --detach starts it.");
            System.exit(1);
        }
        var service = arguments.length == 1 ? arguments[0] : "";
        var variables = variables(service, environment(state, kafka, postgres), FreePort.find());
        if (variables.isEmpty()) {
            System.err.println("Name a service: " + SERVICES + ".");
            System.exit(2);
        }
        System.out.print(EnvironmentFile.text(variables));
    }

    private static ServiceEnvironment environment(StateFolder state, OptionalInt kafka, OptionalInt postgres) {
        return new ServiceEnvironment(
                Options.parse("--engine", "simulated"),
                LocalSecrets.of(state),
                StaffIssuer.of(state),
                state,
                "127.0.0.1:" + kafka.orElseThrow(),
                "jdbc:postgresql://127.0.0.1:" + postgres.orElseThrow());
    }

    /// Nothing for a name that no service has.
    static Map<String, String> variables(String service, ServiceEnvironment environment, int port) {
        return switch (service) {
            case "gateway-service" -> environment.gateway(port);
            case "inference-worker" -> environment.worker(port);
            case "summarizer-service" -> environment.summarizer(port);
            case "audit-service" -> environment.audit(port);
            default -> Map.of();
        };
    }
}
