package dev.counterpoint.local;

import java.util.List;
import java.util.Map;

/// What differs from the suite as `up` starts it, for whoever puts something between its parts.
///
/// @param brokerArguments more of them
/// @param variables of single services by their name; they win
public record Wiring(List<String> brokerArguments, Map<String, Map<String, String>> variables) {
    /// Every service reaches broker and database itself.
    static final Wiring DIRECT = new Wiring(List.of(), Map.of());

    public Wiring {
        brokerArguments = List.copyOf(brokerArguments);
        variables = Map.copyOf(variables);
    }

    Map<String, String> of(String service) {
        return variables.getOrDefault(service, Map.of());
    }
}
