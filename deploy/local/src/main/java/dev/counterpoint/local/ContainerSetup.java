package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.bus.access.ErasureCopy;
import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;

/// The one-shots of `deploy/compose`, in the image `setup`. Each may be run any number of times.
///
/// * `secrets <owner folder> <role folders>` makes the secrets that are missing, and deals them out: see [RoleFolders].
///   Where the roles have secrets that the owner has lost, it makes none.
/// * `servers <owner folder> <host:port of Kafka> <host:port of PostgreSQL>` waits for both, then makes
///   accounts, access rules, databases and roles.
/// * `database-passwords <owner folder> <host:port of PostgreSQL>` changes the passwords of superuser and roles.
/// * `retire-accounts <owner folder> <host:port of Kafka>` takes the passwords away that were in force on the bus until
///   the services' logins were rotated.
/// * `copy-database <owner folder> <host:port of PostgreSQL>` lets a script copy its files: see [DatabaseCopy].
/// * `copy-erasures <owner folder> <host:port of Kafka>` prints the erasures of the bus, and `replay-erasures` appends
///   those that it lacks from the same lines on standard input.
/// * `ending <owner folder> <gateway URL inside>` says what somebody who has started the suite can do with it.
/// * `environment <owner folder>` prints the same as lines for a shell.
///
/// The last two take from the environment where clients outside find gateway and audit service: `COUNTERPOINT_URL`,
/// `COUNTERPOINT_AUDIT_URL`. Exit status: 0 done, 1 could not, 2 wrong arguments.
public final class ContainerSetup {
    private static final Duration SERVERS_MAX = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(500);
    /// Each with the number of its arguments and itself.
    private static final List<String> VERBS = List.of(
            "secrets3",
            "servers4",
            "database-passwords3",
            "retire-accounts3",
            "copy-database3",
            "copy-erasures3",
            "replay-erasures3",
            "ending3",
            "environment2");
    /// The audit service's program, which the image has beside this one.
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final StateFolder state;
    private final LocalSecrets secrets;

    private ContainerSetup(StateFolder state) {
        this.state = state;
        this.secrets = LocalSecrets.of(state);
    }

    public static void main(String[] arguments) {
        var given = List.of(arguments);
        var verb = given.isEmpty() ? "" : given.getFirst() + given.size();
        if (!VERBS.contains(verb)) {
            System.err.println("usage: ContainerSetup secrets <owner folder> <role folders>\n"
                    + "       ContainerSetup servers <owner folder> <kafka> <postgres>\n"
                    + "       ContainerSetup database-passwords <owner folder> <postgres>\n"
                    + "       ContainerSetup retire-accounts <owner folder> <kafka>\n"
                    + "       ContainerSetup copy-database <owner folder> <postgres>\n"
                    + "       ContainerSetup copy-erasures|replay-erasures <owner folder> <kafka>\n"
                    + "       ContainerSetup ending <owner folder> <gateway URL inside>\n"
                    + "       ContainerSetup environment <owner folder>");
            System.exit(2);
        }
        try {
            var state = StateFolder.in(Path.of(given.get(1)));
            if (given.getFirst().equals("secrets")) {
                new RoleFolders(Path.of(given.get(2)), state).requireOwner();
            } else if (!LocalSecrets.missing(state).isEmpty()) {
                throw new IllegalStateException("The owner's folder lacks secrets; `secrets` says which ones.");
            }
            var setup = new ContainerSetup(state);
            switch (given.getFirst()) {
                case "secrets" -> setup.dealOut(Path.of(given.get(2)));
                case "servers" -> setup.prepare(given.get(2), given.get(3));
                case "database-passwords" -> setup.changeDatabasePasswords(given.get(2));
                case "retire-accounts" -> setup.retireAccounts(given.get(2));
                case "copy-database" ->
                    DatabaseCopy.run(given.get(2), setup.secrets.postgresPassword(), script(), System.out);
                case "copy-erasures" ->
                    ErasureCopy.lines(state.administrator(given.get(2))).forEach(System.out::println);
                case "replay-erasures" -> setup.replayErasures(given.get(2));
                case "ending" -> System.out.print(setup.ending(given.get(2)));
                default -> System.out.print(EnvironmentFile.text(setup.exports()));
            }
        } catch (IllegalStateException
                | IllegalArgumentException
                | KafkaException
                | SQLException
                | IOException failure) {
            System.err.println(failure.getMessage());
            System.exit(1);
        }
    }

    private static BufferedReader script() {
        return new BufferedReader(new InputStreamReader(System.in, UTF_8));
    }

    private void replayErasures(String kafka) {
        var appended = ErasureCopy.replay(state.administrator(kafka), script().lines());
        System.out.println(
                appended.isEmpty()
                        ? "The bus had every erasure of the copy."
                        : "Erasures of the copy that the bus lacked: " + String.join(", ", appended));
    }

    private void dealOut(Path folders) {
        RootKeysetSetup.ensure(CLASS_PATH, List.of(), state);
        new RoleFolders(folders, state).write(secrets, StaffIssuer.of(state));
        System.out.println("The secrets are there.");
    }

    private void prepare(String kafka, String postgres) {
        await("PostgreSQL", () -> {
            try {
                DatabaseRoles.install(
                        database -> DriverManager.getConnection(
                                "jdbc:postgresql://" + postgres + "/" + database,
                                PostgresServer.USER,
                                secrets.postgresPassword()),
                        List.of(DatabaseRoles.values()),
                        secrets::databasePassword);
            } catch (SQLException failure) {
                throw new IllegalStateException("PostgreSQL: " + failure.getMessage(), failure);
            }
        });
        System.out.println("Databases and roles are there.");
        await("Kafka", () -> {
            try {
                ProvisionBus.apply(state.administrator(kafka), state.sealingKeys());
            } catch (KafkaException failure) {
                throw new IllegalStateException("Kafka: " + failure.getMessage(), failure);
            }
        });
        System.out.println("Accounts and access rules are there.");
    }

    private void changeDatabasePasswords(String postgres) throws SQLException {
        DatabasePasswords.change(state, "jdbc:postgresql://" + postgres);
        System.out.println("The databases have new passwords. Deal them out and restart gateways and audit service.");
    }

    private void retireAccounts(String kafka) {
        ProvisionBus.retire(state.administrator(kafka), state.sealingKeys());
        System.out.println("Only the logins that were dealt out last are in force.");
    }

    /// Repeats `step` while its server starts.
    private static void await(String server, Runnable step) {
        long end = System.nanoTime() + SERVERS_MAX.toNanos();
        while (true) {
            try {
                step.run();
                return;
            } catch (IllegalStateException notYet) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(
                            server + " is not there after " + SERVERS_MAX.toSeconds() + " s: " + notYet.getMessage(),
                            notYet);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private Map<String, String> exports() {
        var options = Options.parse(new String[0]);
        return new ServiceEnvironment(options, secrets, StaffIssuer.of(state), state, "", "")
                .exports(variable("COUNTERPOINT_URL"), variable("COUNTERPOINT_AUDIT_URL"));
    }

    private static String variable(String name) {
        var value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not set");
        }
        return value;
    }

    private String ending(String gatewayInside) {
        var exports = exports();
        var inside = new HashMap<>(exports);
        inside.put("COUNTERPOINT_URL", gatewayInside);
        return new StartupSummary(
                        exports,
                        StartupSummary.awaitModel(inside),
                        StartupSummary.limits(inside),
                        "./deploy/compose/compose logs SERVICE",
                        "deploy/compose/.state/env",
                        "./deploy/compose/compose down")
                .text();
    }
}
