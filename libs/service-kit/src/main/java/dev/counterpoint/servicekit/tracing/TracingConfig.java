package dev.counterpoint.servicekit.tracing;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/// Where traces go, and how many of them. Of OpenTelemetry's own variables `OTEL_EXPORTER_OTLP_ENDPOINT` and
/// `OTEL_TRACES_SAMPLER_ARG` are the defaults.
@ConfigMapping(prefix = "counterpoint.tracing")
public interface TracingConfig {
    /// Base URL of an OTLP collector that speaks HTTP, as in `http://collector:4318`; spans go to `/v1/traces` below
    /// it. Traces are off while it is empty.
    @WithDefault("${otel.exporter.otlp.endpoint:}")
    Optional<String> endpoint();

    /// The part of the requests that is traced, 0 to 1. A gateway decides, the other services follow it.
    @WithDefault("${otel.traces.sampler.arg:1}")
    double ratio();

    /// Whether a gateway goes on with the trace of its caller (a sampled `traceparent`) where it traces a request. Else
    /// each traced request begins a trace of its own. How many are traced no caller chooses.
    @WithDefault("false")
    boolean trustCallers();
}
