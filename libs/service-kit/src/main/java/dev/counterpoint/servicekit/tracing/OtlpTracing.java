package dev.counterpoint.servicekit.tracing;

import dev.counterpoint.bus.tracing.TraceParent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Spans by OpenTelemetry's SDK, handed to a collector in batches. One that cannot be reached costs spans and nothing
/// else: the queue is bounded, and no request waits for it.
final class OtlpTracing implements Tracing, AutoCloseable {
    private static final String PATH = "/v1/traces";
    private static final Duration EXPORT_MAX = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int QUEUED_MAX = 4_096;
    private static final int VALUE_MAX = 200;
    private static final long CLOSE_SECONDS_MAX = 2;

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final double ratio;
    private final boolean trustCallers;

    private OtlpTracing(SpanExporter exporter, String service, double ratio, boolean trustCallers) {
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("counterpoint.tracing.ratio must be from 0 to 1");
        }
        this.ratio = ratio;
        this.trustCallers = trustCallers;
        provider = SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        service,
                        AttributeKey.stringKey("service.instance.id"),
                        UUID.randomUUID().toString())))
                // Who is asked to record has decided already: a request's gateway, for all.
                .setSampler(Sampler.alwaysOn())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setMaxQueueSize(QUEUED_MAX)
                        .setScheduleDelay(PAUSE)
                        .setExporterTimeout(EXPORT_MAX)
                        .build())
                .build();
        tracer = provider.get("dev.counterpoint");
    }

    /// @param endpoint base URL of the collector
    static OtlpTracing to(String endpoint, String service, TracingConfig config) {
        var exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint.replaceFirst("/+$", "") + PATH)
                .setTimeout(EXPORT_MAX)
                .build();
        return to(exporter, service, config);
    }

    static OtlpTracing to(SpanExporter exporter, String service, TracingConfig config) {
        return new OtlpTracing(exporter, service, config.ratio(), config.trustCallers());
    }

    @Override
    public boolean on() {
        return true;
    }

    /// By a draw and not by the trace's id, which a trusted caller chooses.
    @Override
    public RequestSpan request(String name, @Nullable TraceParent caller) {
        if (ThreadLocalRandom.current().nextDouble() >= ratio) {
            return RequestSpan.NONE;
        }
        var builder = tracer.spanBuilder(name).setSpanKind(SpanKind.SERVER);
        var parent = trustCallers && caller != null && caller.sampled() ? context(caller) : Context.root();
        return new Recorded(builder.setParent(parent).startSpan(), tracer);
    }

    @Override
    public RequestSpan of(@Nullable TraceParent parent) {
        return parent == null ? RequestSpan.NONE : new Remote(parent);
    }

    private static Context context(TraceParent parent) {
        var remote = SpanContext.createFromRemoteParent(
                parent.traceId(), parent.spanId(), TraceFlags.getSampled(), TraceState.getDefault());
        return Context.root().with(Span.wrap(remote));
    }

    private static SpanBuilder builder(Tracer tracer, String name, RequestSpan.Side side) {
        var kind = switch (side) {
            case NEITHER -> SpanKind.INTERNAL;
            case SERVER -> SpanKind.SERVER;
            case CLIENT -> SpanKind.CLIENT;
            case PRODUCER -> SpanKind.PRODUCER;
            case CONSUMER -> SpanKind.CONSUMER;
        };
        return tracer.spanBuilder(name).setSpanKind(kind);
    }

    /// Waits a moment for the last batch.
    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /// The span of another service.
    private final class Remote implements RequestSpan {
        private final TraceParent parent;

        Remote(TraceParent parent) {
            this.parent = parent;
        }

        @Override
        public TraceParent parent() {
            return parent;
        }

        @Override
        public RequestSpan child(String name, Side side) {
            return new Recorded(
                    builder(tracer, name, side).setParent(context(parent)).startSpan(), tracer);
        }
    }

    /// A span of this service.
    private record Recorded(Span span, Tracer tracer) implements RequestSpan {
        @Override
        public TraceParent parent() {
            var context = span.getSpanContext();
            return new TraceParent(context.getTraceId(), context.getSpanId(), true);
        }

        @Override
        public boolean recorded() {
            return true;
        }

        @Override
        public RequestSpan child(String name, Side side) {
            return child(builder(tracer, name, side));
        }

        @Override
        public RequestSpan child(String name, Side side, long sinceMillis) {
            return child(builder(tracer, name, side).setStartTimestamp(sinceMillis, TimeUnit.MILLISECONDS));
        }

        private RequestSpan child(SpanBuilder builder) {
            return new Recorded(builder.setParent(Context.root().with(span)).startSpan(), tracer);
        }

        @Override
        public RequestSpan with(SpanAttribute attribute, String value) {
            var bounded = value.length() > VALUE_MAX ? value.substring(0, VALUE_MAX) : value;
            if (attribute == SpanAttribute.FINISH_REASONS) {
                span.setAttribute(AttributeKey.stringArrayKey(attribute.key()), List.of(bounded));
            } else {
                span.setAttribute(attribute.key(), bounded);
            }
            return this;
        }

        @Override
        public RequestSpan with(SpanAttribute attribute, long value) {
            span.setAttribute(attribute.key(), value);
            return this;
        }

        @Override
        public RequestSpan failed(String kind) {
            span.setStatus(StatusCode.ERROR);
            return with(SpanAttribute.ERROR_TYPE, kind);
        }

        @Override
        public void end() {
            span.end();
        }
    }
}
