package dev.counterpoint.local;

import dev.counterpoint.testkit.Launch;
import dev.counterpoint.testkit.PostgresServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The parts of the suite, their ports and their order.
final class Suite {
    private final Path repository;
    private final State state;
    private final Options options;
    private final Secrets secrets;
    private final StaffIssuer issuer;
    private final Ports ports;

    Suite(Path repository, State state, Options options, Secrets secrets) {
        this.repository = repository;
        this.state = state;
        this.options = options;
        this.secrets = secrets;
        this.issuer = StaffIssuer.of(state);
        this.ports = new Ports(state.ports());
    }

    /// What a start needs and the build has not made yet.
    static List<Path> missing(Path repository) {
        return Stream.of("gateway-service", "inference-worker", "summarizer-service", "audit-service")
                .map(service -> jar(repository, service))
                .filter(jar -> !Files.exists(jar))
                .toList();
    }

    private static Path jar(Path repository, String service) {
        return repository.resolve(service).resolve("target/quarkus-app/quarkus-run.jar");
    }

    String gatewayUrl() {
        return url(options.port());
    }

    String auditUrl() {
        return url(ports.of("audit"));
    }

    /// First the servers, then what uses them. The gateways come last, so that they are the first to stop.
    List<List<Part>> tiers() {
        int kafka = ports.of("kafka");
        int postgres = ports.of("postgres");
        var servers = List.of(broker(kafka), postgres(postgres));
        var environment = environment(kafka, postgres);
        var services = new ArrayList<Part>();
        for (int number = 1; number <= options.workers(); number++) {
            String name = "worker-" + number;
            int port = ports.of(name);
            services.add(service("inference-worker", name, port, environment.worker(port)));
        }
        int summarizer = ports.of("summarizer");
        services.add(service("summarizer-service", "summarizer", summarizer, environment.summarizer(summarizer)));
        int audit = ports.of("audit");
        services.add(service("audit-service", "audit", audit, environment.audit(audit)));
        var gateways = new ArrayList<Part>();
        for (int number = 1; number <= options.gateways(); number++) {
            int port = options.port() + number - 1;
            gateways.add(service("gateway-service", "gateway-" + number, port, environment.gateway(port)));
        }
        return List.of(servers, services, gateways);
    }

    ServiceEnvironment environment() {
        return environment(ports.of("kafka"), ports.of("postgres"));
    }

    private ServiceEnvironment environment(int kafka, int postgres) {
        return new ServiceEnvironment(
                options,
                secrets,
                issuer,
                state,
                "127.0.0.1:" + kafka,
                "jdbc:postgresql://127.0.0.1:" + postgres,
                PostgresServer.USER);
    }

    private Part broker(int port) {
        var launch = Launch.broker(state.log("kafka"), "--data=" + state.kafka(), "--port=" + port)
                .in(repository);
        return new ProgramPart(
                named("kafka", launch), "127.0.0.1:" + port, new ProgramPart.Readiness.Line("broker ready"));
    }

    private static Launch named(String name, Launch launch) {
        return new Launch(
                name, launch.command(), launch.log(), launch.appends(), launch.environment(), launch.directory());
    }

    private Part postgres(int port) {
        return new PostgresPart(
                new PostgresServer.Settings(
                        state.postgres(), port, secrets.postgresPassword(), true, state.log("postgres")),
                List.of(ServiceEnvironment.GATEWAY_DATABASE, ServiceEnvironment.AUDIT_DATABASE));
    }

    private Part service(String module, String name, int port, Map<String, String> environment) {
        var arguments = new ArrayList<>(
                module.equals("gateway-service") || module.equals("inference-worker")
                        ? ServiceEnvironment.busyJvm()
                        : ServiceEnvironment.quietJvm(state.classes(name)));
        arguments.add("-Djava.io.tmpdir=" + state.temporary());
        arguments.add("-XX:ErrorFile=" + state.log(name + "-crash"));
        arguments.addAll(List.of("-jar", jar(repository, module).toString()));
        var launch = Launch.java(name, state.log(name), arguments.toArray(String[]::new))
                .with(environment)
                .in(repository);
        return new ProgramPart(
                launch, url(port), new ProgramPart.Readiness.Http(URI.create(url(port) + "/q/health/ready")));
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }
}
