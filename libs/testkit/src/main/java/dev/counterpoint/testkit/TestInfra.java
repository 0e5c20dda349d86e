package dev.counterpoint.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/// Where tests get Kafka and PostgreSQL from: containers with the images that deployments use, or the same software as
/// processes of this machine. Chosen by `COUNTERPOINT_TEST_INFRA`, a system property or else a variable of the
/// environment:
///
/// * `auto` (the default): containers when a Docker engine answers, else embedded;
/// * `embedded`;
/// * `containers`: fails where no engine answers, so that nobody believes to have tested what was not there.
///
/// Thread-safe. The shared servers are started by whoever asks first, belong to the whole JVM (Quarkus' class loaders
/// included) and end with it.
public enum TestInfra {
    EMBEDDED,
    CONTAINERS;

    /// The name of the setting.
    public static final String SETTING = "COUNTERPOINT_TEST_INFRA";

    private static @Nullable TestInfra chosen;

    /// What this JVM uses.
    ///
    /// @throws IllegalStateException when containers are asked for and no Docker engine answers
    /// @throws IllegalArgumentException when the setting is not one of the three words
    public static synchronized TestInfra current() {
        if (chosen == null) {
            String setting = System.getProperty(SETTING, System.getenv(SETTING));
            chosen = choose(setting, TestInfra::dockerAnswers);
        }
        return chosen;
    }

    /// Shorthand for [TestKafka#shared].
    public static TestKafka kafka() {
        return TestKafka.shared();
    }

    /// Shorthand for [TestPostgres#shared].
    public static TestPostgres postgres() {
        return TestPostgres.shared();
    }

    static TestInfra choose(@Nullable String setting, BooleanSupplier dockerAnswers) {
        String word = Objects.requireNonNullElse(setting, "auto").strip().toLowerCase(Locale.ROOT);
        return switch (word) {
            case "", "auto" -> dockerAnswers.getAsBoolean() ? CONTAINERS : EMBEDDED;
            case "embedded" -> EMBEDDED;
            case "containers" -> {
                if (!dockerAnswers.getAsBoolean()) {
                    throw new IllegalStateException(SETTING + "=containers, but no Docker engine answers. Start one, "
                            + "or set " + SETTING + "=embedded.");
                }
                yield CONTAINERS;
            }
            default ->
                throw new IllegalArgumentException(
                        SETTING + " is auto, embedded or containers, not \"" + setting + "\"");
        };
    }

    /// Testcontainers itself decides; it is not asked where there is no sign of an engine, because then it takes long
    /// and logs much.
    private static boolean dockerAnswers() {
        boolean sign = System.getenv("DOCKER_HOST") != null || sockets().anyMatch(Files::exists);
        return sign && DockerClientFactory.instance().isDockerAvailable();
    }

    private static Stream<Path> sockets() {
        Path home = Path.of(System.getProperty("user.home"));
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        return Stream.concat(
                List.of(
                        Path.of("/var/run/docker.sock"),
                        home.resolve(".docker/run/docker.sock"),
                        home.resolve(".docker/desktop/docker.sock"),
                        home.resolve(".testcontainers.properties"))
                        .stream(),
                runtime == null ? Stream.empty() : Stream.of(Path.of(runtime, "docker.sock")));
    }
}
