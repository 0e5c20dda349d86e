package dev.counterpoint.local;

import dev.counterpoint.infra.StartupCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What differs from the suite as `up` starts it, for whoever puts something between its parts.
///
/// @param brokerArguments more of them
/// @param variables of single services by their name; they win
/// @param recordsStartup whether broker and services record what their [StartupCache] is made from
public record SuiteWiring(
        List<String> brokerArguments, Map<String, Map<String, String>> variables, boolean recordsStartup) {
    /// Every service reaches broker and database itself.
    static final SuiteWiring DIRECT = new SuiteWiring(List.of(), Map.of());
    /// The same, recorded.
    static final SuiteWiring RECORDED = new SuiteWiring(List.of(), Map.of(), true);

    public SuiteWiring(List<String> brokerArguments, Map<String, Map<String, String>> variables) {
        this(brokerArguments, variables, false);
    }

    public SuiteWiring {
        brokerArguments = List.copyOf(brokerArguments);
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
