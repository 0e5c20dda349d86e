package dev.counterpoint.local;

import dev.counterpoint.infra.StartupCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What differs from the suite as `up` starts it, for whoever puts something between its parts.
///
/// @param brokers what each is told beside what all are told; several keep copies of each other's records
/// @param variables of single services by their name; they win
/// @param recordsStartup whether broker and services record what their [StartupCache] is made from
public record SuiteWiring(
        List<List<String>> brokers, Map<String, Map<String, String>> variables, boolean recordsStartup) {
    private static final List<List<String>> ONE_BROKER = List.of(List.of());
    /// Every service reaches broker and database itself.
    static final SuiteWiring DIRECT = new SuiteWiring(Map.of());
    /// The same, recorded.
    static final SuiteWiring RECORDED = new SuiteWiring(ONE_BROKER, Map.of(), true);

    /// With one broker that is told nothing more.
    public SuiteWiring(Map<String, Map<String, String>> variables) {
        this(ONE_BROKER, variables);
    }

    public SuiteWiring(List<List<String>> brokers, Map<String, Map<String, String>> variables) {
        this(brokers, variables, false);
    }

    public SuiteWiring {
        brokers = brokers.stream().map(List::copyOf).toList();
        variables = Map.copyOf(variables);
    }

    /// JVM flags of the program that has this cache.
    List<String> startupFlags(StartupCache cache) {
        return recordsStartup ? cache.recording() : cache.reading();
    }

    /// How long a program may take to end in order. To write down what was recorded takes seconds of computing.
    Duration stopMax() {
        return recordsStartup ? Duration.ofMinutes(3) : Duration.ofSeconds(20);
    }

    Map<String, String> of(String service) {
        return variables.getOrDefault(service, Map.of());
    }
}
