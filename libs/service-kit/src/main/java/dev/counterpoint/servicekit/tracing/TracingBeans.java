package dev.counterpoint.servicekit.tracing;

import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// The one [Tracing] of a service.
final class TracingBeans {
    private TracingBeans() {}

    /// Of OpenTelemetry's classes none is loaded while traces are off.
    @Produces
    @Singleton
    static Tracing tracing(TracingConfig config, @ConfigProperty(name = "quarkus.application.name") String service) {
        return config.endpoint()
                .filter(endpoint -> !endpoint.isBlank())
                .<Tracing>map(endpoint -> OtlpTracing.to(endpoint, service, config))
                .orElse(Tracing.OFF);
    }

    static void close(@Disposes Tracing tracing) {
        if (tracing instanceof OtlpTracing exporting) {
            exporting.close();
        }
    }
}
