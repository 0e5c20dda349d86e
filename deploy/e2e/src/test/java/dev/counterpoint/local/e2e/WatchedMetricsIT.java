package dev.counterpoint.local.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.RepositoryRoot;
import dev.counterpoint.local.LaunchedSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What dashboards, alert rules and scalers ask for is what a suite exports that has answered one request.
@ExtendWith(WholeSuite.class)
class WatchedMetricsIT {
    private static final Pattern METRIC = Pattern.compile(
            "\\b(?:counterpoint|gen_ai|audit|agroal|http_server|jvm|process)_[a-z0-9_]+(?=[\\[{) ]|\\\\?\"|$)");
    /// Labels that a metric's beginning has, too.
    private static final Set<String> LABELS = Set.of("gen_ai_token_type");

    private static LaunchedSuite suite;

    @BeforeAll
    static void answerOneRequest() {
        suite = WholeSuite.suite();
        var caller = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_RAW_API_KEY"));
        var events = caller.stream("/v1/responses", """
                {"model":"%s","input":"What is 17 plus 25?","reasoning":{"summary":"auto"},"stream":true}\
                """.formatted(RunningSuite.MODEL));
        assertThat(Streams.terminals(events)).containsExactly("response.completed");
    }

    @Test
    void everyMetricOfDashboardsRulesAndScalersIsExported() throws Exception {
        // Given
        var helm = RepositoryRoot.find().resolve("deploy/helm/counterpoint/templates/worker.yaml");
        var watched = new TreeSet<String>();
        for (var file : files()) {
            watched.addAll(metrics(Files.readString(file)));
        }
        watched.addAll(metrics(Files.readString(helm)));
        assertThat(watched).hasSizeGreaterThan(45);

        // Then
        Eventually.until(
                () -> {
                    var missing = new TreeSet<>(watched);
                    missing.removeAll(exported());
                    return missing;
                },
                Set::isEmpty);
    }

    private static Set<Path> files() throws IOException {
        var observability = RepositoryRoot.find().resolve("deploy/observability");
        try (var rules = Files.list(observability.resolve("rules"));
                var dashboards = Files.list(observability.resolve("grafana/dashboards"))) {
            return Stream.concat(rules, dashboards).collect(Collectors.toSet());
        }
    }

    private static Set<String> metrics(String text) {
        return METRIC.matcher(text)
                .results()
                .map(found -> found.group())
                .filter(name -> !LABELS.contains(name))
                .collect(Collectors.toSet());
    }

    private static Set<String> exported() {
        return suite.services().values().stream()
                .flatMap(WatchedMetricsIT::lines)
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }

    private static Stream<String> lines(URI service) {
        try (var answer = service.resolve("/q/metrics").toURL().openStream()) {
            return new String(answer.readAllBytes(), UTF_8).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
