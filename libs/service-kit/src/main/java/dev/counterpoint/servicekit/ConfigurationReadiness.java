package dev.counterpoint.servicekit;

import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Reports the misconfigurations of this service: by code, with their texts. It never turns readiness off: the checks
/// of what a service needs do that.
@Readiness
@ApplicationScoped
public class ConfigurationReadiness implements HealthCheck {
    /// The name of the check, by which the launcher finds it.
    public static final String NAME = "configuration";

    private final List<MisconfigurationSource> sources;

    ConfigurationReadiness(@All List<MisconfigurationSource> sources) {
        this.sources = List.copyOf(sources);
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named(NAME).up();
        sources.stream()
                .flatMap(source -> source.misconfigurations().stream())
                .collect(Collectors.groupingBy(
                        Misconfiguration::code, Collectors.mapping(Misconfiguration::text, Collectors.joining("; "))))
                .forEach(answer::withData);
        return answer.build();
    }
}
