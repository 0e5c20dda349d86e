package dev.counterpoint.bus.access;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.GenerateKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the Helm chart says of topics, rules and keys is what the code does. With `-Dchart=write` the test writes the
/// chart's list.
class ChartFilesTest {
    private static final Path HELM = Path.of("../../deploy/helm");
    private static final Path BUS = HELM.resolve("counterpoint/files/bus.json");
    private static final Pattern KEY = Pattern.compile("\\{key: (\\S+\\.(?:json|properties)), path: ");

    @Test
    void theChartHasTheTopicsAndTheRulesOfTheCode() throws IOException {
        // When
        var code = "{\"topics\": [%s],\n \"rules\": {%s}}\n"
                .formatted(
                        Topic.shared(Topic.FRAMES_PER_GATEWAY)
                                .map(ChartFilesTest::topic)
                                .collect(joining(",")),
                        Stream.of(ServiceRole.values())
                                .sorted(Comparator.comparing(ServiceRole::wireName))
                                .map(ChartFilesTest::role)
                                .collect(joining(",")));
        if ("write".equals(System.getProperty("chart"))) {
            Files.writeString(BUS, code);
        }

        // Then
        assertThat(Files.readString(BUS).replaceAll("\\s", "")).isEqualTo(code.replaceAll("\\s", ""));
    }

    @Test
    void theChartGivesOutTheFilesThatTheCommandsMake(@TempDir Path folder) throws IOException {
        // Given
        GenerateKeys.into(folder.resolve("keys"));
        ProvisionBus.accounts(folder.resolve("keys"));

        // When
        var given = new TreeSet<>(KEY.matcher(Files.readString(HELM.resolve("golden/small.yaml")))
                .results()
                .map(found -> found.group(1))
                .toList());

        // Then
        given.remove("root-keyset.json");
        try (var made = Files.list(folder.resolve("keys"))) {
            assertThat(given)
                    .containsExactlyInAnyOrderElementsOf(
                            made.map(file -> file.getFileName().toString()).toList());
        }
    }

    private static String topic(Topic topic) {
        return "\n  {\"name\": \"%s\", \"partitions\": %d, \"settings\": {%s}}"
                .formatted(
                        topic.name(),
                        topic.partitions(),
                        new TreeMap<>(topic.settings())
                                .entrySet().stream()
                                        .map(it -> "\"%s\": \"%s\"".formatted(it.getKey(), it.getValue()))
                                        .collect(joining(", ")));
    }

    private static String role(ServiceRole role) {
        var rules = AccessRules.of(role, "any").stream().collect(groupingBy(AclBinding::pattern));
        return "\n  \"%s\": [%s]"
                .formatted(
                        role.wireName(),
                        rules.entrySet().stream()
                                .map(it -> rule(it.getKey(), it.getValue()))
                                .sorted()
                                .collect(joining(",")));
    }

    private static String rule(ResourcePattern of, Collection<AclBinding> bindings) {
        return "\n   {\"type\": \"%s\", \"name\": \"%s\", \"pattern\": \"%s\", \"operations\": [%s]}"
                .formatted(
                        of.resourceType().name().toLowerCase(Locale.ROOT),
                        of.name(),
                        of.patternType() == PatternType.PREFIXED ? "prefix" : "literal",
                        operations(bindings));
    }

    private static String operations(Collection<AclBinding> bindings) {
        return bindings.stream()
                .map(it -> "\"" + camel(it.entry().operation()) + "\"")
                .sorted()
                .collect(joining(", "));
    }

    private static String camel(AclOperation operation) {
        return Stream.of(operation.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(joining());
    }
}
