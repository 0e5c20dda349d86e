package dev.counterpoint.local;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.RepositoryRoot;
import dev.counterpoint.local.doctor.BusChecks;
import dev.counterpoint.local.doctor.DatabaseChecks;
import dev.counterpoint.local.doctor.DiagnosedService;
import dev.counterpoint.local.doctor.EngineChecks;
import dev.counterpoint.local.doctor.KeyChecks;
import dev.counterpoint.local.doctor.MachineChecks;
import dev.counterpoint.local.doctor.Misconfiguration;
import dev.counterpoint.local.doctor.SettingsFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// Finds what is set up wrongly, by name, and says what to do. It changes nothing.
///
/// * `doctor [options of up]`: this machine, and the suite of `.state`; its servers only while it runs.
/// * `doctor --service ROLE`: one service of any deployment, as the environment that this runs in sets it up.
///
/// Exit status: 0 found nothing, 1 found something, 2 wrong arguments.
public final class Doctor {
    private static final String USAGE = """
            usage: ./deploy/local/doctor [options of up]
                   ./deploy/local/doctor --service gateway|worker|summarizer|audit

            Says what is set up wrongly, and what to do about it. With --service, the variables of the environment are
            those of the service (KAFKA_BOOTSTRAP_SERVERS, COUNTERPOINT_KEYS_DIR, QUARKUS_DATASOURCE_…, WORKER_…), with
            the files that QUARKUS_CONFIG_LOCATIONS names.
            """;

    private final Path repository;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final List<Misconfiguration> found = new ArrayList<>();
    private final List<String> unseen = new ArrayList<>();

    Doctor(Path repository, Map<String, String> environment, PrintStream out) {
        this.repository = repository;
        this.environment = environment;
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        var doctor = new Doctor(RepositoryRoot.find(), System.getenv(), System.out);
        if (List.of(arguments).contains("--help")) {
            System.out.print(USAGE);
            return;
        }
        try {
            System.exit(doctor.findsNothing(arguments) ? 0 : 1);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "\n\n" + USAGE.stripTrailing());
            System.exit(2);
        }
    }

    /// Looks, and tells what it found.
    boolean findsNothing(String... arguments) throws IOException {
        look(arguments);
        found.stream().distinct().forEach(out::println);
        unseen.forEach(what -> out.println("(not looked at: " + what + ")"));
        if (found.isEmpty()) {
            out.println("No misconfiguration found.");
        }
        return found.isEmpty();
    }

    private void look(String... arguments) throws IOException {
        if (arguments.length == 2 && arguments[0].equals("--service")) {
            var role = ServiceRole.ofWireName(arguments[1])
                    .orElseThrow(() -> new IllegalArgumentException("no service is called " + arguments[1]));
            found.addAll(SettingsFiles.look(environment));
            var service = new DiagnosedService(role, environment);
            found.addAll(KeyChecks.look(List.of(service)));
            servers(service);
        } else {
            suite(Options.parse(arguments));
        }
    }

    private void suite(Options options) throws IOException {
        var folder = repository.resolve(environment.getOrDefault("COUNTERPOINT_STATE", "deploy/local/.state"));
        var state = new StateFolder(folder.toAbsolutePath());
        boolean runs = Files.exists(state.ready());
        found.addAll(MachineChecks.here(folder).look(runs));
        if (!runs) {
            var ports = IntStream.range(options.port(), options.port() + options.gateways());
            found.addAll(MachineChecks.ports(ports.boxed().toList(), FreePort::isFree));
        }
        var engine = new DiagnosedService(ServiceRole.WORKER, environmentOfEngine(options));
        found.addAll(EngineChecks.look(engine));
        if (!Files.isDirectory(state.secrets())) {
            unseen.add("keys, broker and database: there is no suite in " + folder + " yet");
            return;
        }
        keys(state);
        var lost = LocalSecrets.missing(state);
        lost.forEach(file -> found.add(new Misconfiguration(
                "secret-missing",
                file + " is not there",
                "put the file back; `up` would make another, which fits nothing that is there")));
        if (!lost.isEmpty()) {
            unseen.add("broker and database: they need the secrets");
        } else if (found.stream().anyMatch(each -> each.name().startsWith("key"))) {
            unseen.add("broker and database: they need the keys");
        } else if (runs) {
            running(options, state);
        } else {
            unseen.add("broker and database: the suite does not run");
        }
    }

    private static Map<String, String> environmentOfEngine(Options options) {
        return Map.of(
                "WORKER_ENGINE", options.engine(),
                "WORKER_MODEL_PATH", options.model().map(Path::toString).orElse(""),
                "WORKER_ENGINE_URL", options.engineUrl().orElse(""));
    }

    /// Before anything makes those that are missing.
    private void keys(StateFolder state) {
        var folder = Map.of("COUNTERPOINT_KEYS_DIR", state.sealingKeys().toString());
        found.addAll(KeyChecks.look(Arrays.stream(ServiceRole.values())
                .map(role -> new DiagnosedService(role, folder))
                .toList()));
    }

    private void running(Options options, StateFolder state) throws IOException {
        var ports = new Ports(state.ports());
        var services = new ServiceEnvironment(
                options,
                LocalSecrets.of(state),
                StaffIssuer.of(state),
                state,
                "127.0.0.1:" + port(ports.kept("kafka")),
                "jdbc:postgresql://127.0.0.1:" + port(ports.kept("postgres")));
        servers(new DiagnosedService(ServiceRole.GATEWAY, services.gateway(options.port())));
        servers(new DiagnosedService(ServiceRole.WORKER, services.worker(0)));
        servers(new DiagnosedService(ServiceRole.SUMMARIZER, services.summarizer(0)));
        servers(new DiagnosedService(ServiceRole.AUDIT, services.audit(0)));
        StartupSummary.firstModel(EnvironmentFile.read(state.environment()))
                .ifPresent(model -> found.addAll(EngineChecks.told(model.text())));
    }

    private static int port(OptionalInt kept) {
        return kept.orElse(1);
    }

    private void servers(DiagnosedService service) throws IOException {
        found.addAll(BusChecks.look(service));
        switch (service.role()) {
            case GATEWAY -> database(service, "gateway-service");
            case AUDIT -> {
                found.addAll(KeyChecks.auditRoot(service));
                database(service, "audit-service");
            }
            case WORKER -> found.addAll(EngineChecks.look(service));
            case SUMMARIZER -> {}
        }
    }

    private void database(DiagnosedService service, String module) throws IOException {
        found.addAll(new DatabaseChecks(newestMigration(repository, module), InstantSource.system()).look(service));
    }

    /// By the names of the files, `V<number>__<what>.sql`.
    static int newestMigration(Path repository, String module) throws IOException {
        var folder = repository.resolve(module).resolve("src/main/resources/db/migration");
        try (var files = Files.list(folder)) {
            return files.map(file -> Objects.toString(file.getFileName()))
                    .filter(name -> name.matches("V\\d+__.*"))
                    .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf("__"))))
                    .max()
                    .orElse(0);
        }
    }
}
