package dev.counterpoint.local;

import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.infra.LocalIssuer;
import dev.counterpoint.infra.PostgresServer;
import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.infra.StartupCache;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The parts of the suite, their ports and their order.
final class Suite {
    private static final String BROKER = "kafka";
    /// The id of a cluster of several brokers; those of other folders never meet them.
    private static final String CLUSTER = "Q291bnRlcnBvaW50MDAwMQ";

    private final Path repository;
    private final StateFolder state;
    private final Options options;
    private final LocalSecrets secrets;
    private final StaffIssuer issuer;
    private final Ports ports;
    private final SuiteWiring wiring;
    private Optional<LocalIssuer> signIn = Optional.empty();

    Suite(Path repository, StateFolder state, Options options, LocalSecrets secrets) {
        this(repository, state, options, secrets, SuiteWiring.DIRECT);
    }

    Suite(Path repository, StateFolder state, Options options, LocalSecrets secrets, SuiteWiring wiring) {
        this.repository = repository;
        this.state = state;
        this.options = options;
        this.secrets = secrets;
        this.issuer = StaffIssuer.of(state);
        this.ports = new Ports(state.ports());
        this.wiring = wiring;
    }

    /// What a start needs and the build has not made yet.
    static List<Path> missing(Path repository) {
        return jars(repository).filter(jar -> !Files.exists(jar)).toList();
    }

    /// The services as the build packages them.
    static Stream<Path> jars(Path repository) {
        return Stream.of("gateway-service", "inference-worker", "summarizer-service", "audit-service")
                .map(service -> jar(repository, service));
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

    /// Begins to sign people in to the audit service's console. A suite without that has no console.
    void openConsole() {
        signIn = Optional.of(issuer.signIn(ports.of("sign-in"), secrets, URI.create(auditUrl())));
    }

    private Map<String, String> audit(ServiceEnvironment environment, int port) {
        return signIn.map(login -> environment.audit(port, login.address())).orElseGet(() -> environment.audit(port));
    }

    /// The variables of `.state/env`.
    Map<String, String> exports() {
        var exports = new HashMap<>(environment().exports(gatewayUrl(), auditUrl()));
        signIn.ifPresent(_ -> exports.put("COUNTERPOINT_CONSOLE_PASSWORD", secrets.consolePassword()));
        return Map.copyOf(exports);
    }

    /// Where the services of a suite that was started with `options` tell their readiness, by name.
    static Map<String, URI> readiness(StateFolder state, Options options) {
        var ports = new Ports(state.ports());
        var addresses = new LinkedHashMap<String, URI>();
        for (int number = 1; number <= options.gateways(); number++) {
            addresses.put("gateway-" + number, readiness(options.port() + number - 1));
        }
        Stream.of(
                        names(options.workers(), number -> "worker-" + number),
                        names(options.summarizers(), number -> replica("summarizer", number)),
                        names(options.audits(), number -> replica("audit", number)))
                .flatMap(List::stream)
                .forEach(name -> ports.kept(name).ifPresent(port -> addresses.put(name, readiness(port))));
        return addresses;
    }

    private static List<String> names(int count, IntFunction<String> name) {
        return IntStream.rangeClosed(1, count).mapToObj(name).toList();
    }

    private static URI readiness(int port) {
        return URI.create(url(port) + ServiceReadiness.PATH);
    }

    /// First the servers, then what uses them. The gateways come last, so that they are the first to stop.
    List<List<SuitePart>> tiers() {
        int postgres = ports.of("postgres");
        var environment = environment(postgres);
        var services = new ArrayList<SuitePart>();
        for (int number = 1; number <= options.workers(); number++) {
            services.add(service("inference-worker", "worker-" + number, environment::worker));
        }
        for (int number = 1; number <= options.summarizers(); number++) {
            services.add(service("summarizer-service", replica("summarizer", number), environment::summarizer));
        }
        for (int number = 1; number <= options.audits(); number++) {
            services.add(service("audit-service", replica("audit", number), port -> audit(environment, port)));
        }
        var gateways = new ArrayList<SuitePart>();
        for (int number = 1; number <= options.gateways(); number++) {
            int port = options.port() + number - 1;
            gateways.add(service("gateway-service", "gateway-" + number, port, environment.gateway(port)));
        }
        return List.of(brokersBeside(), List.of(brokerWithAccounts(), postgres(postgres)), services, gateways);
    }

    /// Most have one of these, which needs no number.
    private static String replica(String name, int number) {
        return number == 1 ? name : name + "-" + number;
    }

    private SuitePart service(String module, String name, IntFunction<Map<String, String>> environment) {
        int port = ports.of(name);
        return service(module, name, port, environment.apply(port));
    }

    ServiceEnvironment environment() {
        return environment(ports.of("postgres"));
    }

    private ServiceEnvironment environment(int postgres) {
        return new ServiceEnvironment(
                options, secrets, issuer, state, bootstrapServers(), "jdbc:postgresql://127.0.0.1:" + postgres);
    }

    /// All brokers, as clients are told.
    String bootstrapServers() {
        return brokers(1).mapToObj(this::brokerAddress).collect(Collectors.joining(","));
    }

    /// Drawn here and not by the broker, which does not know the ports of those that start beside it.
    private int controllerPort(int node) {
        return ports.of(replica("controller", node));
    }

    private IntStream brokers(int first) {
        return IntStream.rangeClosed(first, wiring.brokers().size());
    }

    private String brokerAddress(int node) {
        return "127.0.0.1:" + ports.of(replica(BROKER, node));
    }

    /// None is ready before most of all are there, so they start before the one that makes the accounts.
    private List<SuitePart> brokersBeside() {
        return brokers(2).mapToObj(node -> broker(node, () -> {})).toList();
    }

    private SuitePart brokerWithAccounts() {
        return broker(1, () -> ProvisionBus.apply(state.administrator(bootstrapServers()), state.sealingKeys()));
    }

    /// @param then what makes the broker ready for others
    private SuitePart broker(int node, Runnable then) {
        var name = replica(BROKER, node);
        var arguments = new ArrayList<>(List.of(
                "--data=" + state.folder().resolve(name),
                "--port=" + ports.of(name),
                "--admin-password-file=" + state.brokerPassword()));
        if (wiring.brokers().size() == 1) {
            arguments.add("--controller-port=" + controllerPort(node));
        } else {
            var controllers = brokers(1)
                    .mapToObj(number -> Integer.toString(controllerPort(number)))
                    .collect(Collectors.joining(","));
            arguments.add("--cluster=" + CLUSTER + ":" + node + ":" + controllers);
        }
        arguments.addAll(wiring.brokers().get(node - 1));
        var spec = ProcessSpec.broker(state.log(name), wiring.startupFlags(StartupCache.ofBroker()), arguments)
                .in(repository);
        return new ProgramPart(
                named(name, spec),
                brokerAddress(node),
                new ProgramPart.Readiness.Line("broker ready", then),
                wiring.stopMax());
    }

    private static ProcessSpec named(String name, ProcessSpec spec) {
        return new ProcessSpec(name, spec.command(), spec.log(), spec.appends(), spec.environment(), spec.directory());
    }

    private SuitePart postgres(int port) {
        return new PostgresPart(
                new PostgresServer.Settings(
                        state.postgres(), port, secrets.postgresPassword(), true, state.log("postgres")),
                secrets::databasePassword);
    }

    private SuitePart service(String module, String name, int port, Map<String, String> environment) {
        var arguments = new ArrayList<>(
                module.equals("gateway-service") || module.equals("inference-worker")
                        ? ServiceEnvironment.busyJvm()
                        : ServiceEnvironment.quietJvm());
        var jar = jar(repository, module);
        arguments.addAll(wiring.startupFlags(StartupCache.of(jar)));
        arguments.add("-Djava.io.tmpdir=" + state.temporary());
        arguments.add("-XX:ErrorFile=" + state.log(name + "-crash"));
        arguments.addAll(List.of("-jar", jar.toString()));
        var spec = ProcessSpec.java(name, state.log(name), arguments.toArray(String[]::new))
                .with(environment)
                .with(wiring.of(name))
                .in(repository);
        return new ProgramPart(spec, url(port), new ProgramPart.Readiness.Http(readiness(port)), wiring.stopMax());
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }
}
