package dev.counterpoint.servicekit.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.tracing.TraceParent;
import dev.counterpoint.servicekit.tracing.RequestSpan.Side;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpTracingTest {
    private static final TraceParent CALLER =
            new TraceParent("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", true);

    private final List<SpanData> exported = new CopyOnWriteArrayList<>();

    private OtlpTracing tracing(double ratio, boolean trustCallers) {
        var exporter = new SpanExporter() {
            @Override
            public CompletableResultCode export(Collection<SpanData> spans) {
                exported.addAll(spans);
                return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode flush() {
                return CompletableResultCode.ofSuccess();
            }

            @Override
            public CompletableResultCode shutdown() {
                return CompletableResultCode.ofSuccess();
            }
        };
        return OtlpTracing.to(exporter, "test", new Settings(ratio, trustCallers));
    }

    private record Settings(double ratio, boolean trustCallers) implements TracingConfig {
        @Override
        public Optional<String> endpoint() {
            return Optional.empty();
        }
    }

    private SpanData span(String name) {
        return exported.stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void childrenAndWhatGoesOnElsewhereBelongToTheRequest() {
        // Given
        var here = tracing(1, false);
        var elsewhere = tracing(0, false); // who goes on decides nothing
        // When
        var request = here.request("GET /", null);
        var sending = request.child("send", Side.PRODUCER);
        var taken = elsewhere.of(sending.parent()).child("process", Side.CONSUMER);
        taken.child("wait", Side.NEITHER, 1_000).end();
        taken.end();
        sending.end();
        request.with(SpanAttribute.HTTP_STATUS, 200).end();
        here.close();
        elsewhere.close();
        // Then
        var root = span("GET /");
        assertThat(root.getParentSpanContext().isValid()).isFalse();
        assertThat(root.getAttributes().get(AttributeKey.longKey("http.response.status_code")))
                .isEqualTo(200);
        assertThat(span("send").getParentSpanId()).isEqualTo(root.getSpanId());
        assertThat(span("process").getParentSpanId()).isEqualTo(span("send").getSpanId());
        assertThat(span("wait").getParentSpanId()).isEqualTo(span("process").getSpanId());
        assertThat(span("wait").getStartEpochNanos()).isEqualTo(1_000_000_000L);
        assertThat(exported).extracting(SpanData::getTraceId).containsOnly(root.getTraceId());
    }

    @Test
    void aRequestThatIsNotSampledHasNoSpansAndNoHeader() {
        var request = tracing(0, false).request("GET /", CALLER);

        assertThat(request.recorded()).isFalse();
        assertThat(request.child("send", Side.PRODUCER).parent()).isNull();
    }

    @Test
    void aCallersTraceIsGoneOnWithOnlyWhereItIsTrusted() {
        var own = tracing(1, false).request("GET /", CALLER).parent();
        var callers = tracing(1, true).request("GET /", CALLER).parent();

        assertThat(own).isNotNull().extracting(TraceParent::traceId).isNotEqualTo(CALLER.traceId());
        assertThat(callers).isNotNull().extracting(TraceParent::traceId).isEqualTo(CALLER.traceId());
    }

    /// Whatever ids it sends, and trusted or not.
    @Test
    void noCallerChoosesHowManyRequestsAreTraced() {
        var half = tracing(0.5, true);

        long traced = IntStream.range(0, 4_000)
                .filter(_ -> half.request("GET /", CALLER).recorded())
                .count();

        assertThat(traced).isBetween(1_800L, 2_200L);
        assertThat(tracing(0, true).request("GET /", CALLER).recorded()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void aRatioIsFromZeroToOne(double ratio) {
        assertThatThrownBy(() -> tracing(ratio, false)).hasMessageContaining("counterpoint.tracing.ratio");
    }

    /// What a record of the bus tells its reader, beside what is signed.
    @Test
    void aRecordCarriesTheTraceInAHeaderAndItsReaderGoesOn() {
        // Given
        var tracing = tracing(1, false);
        var work = tracing.request("POST /", null);
        var sent = new ProducerRecord<>("jobs", "key", new byte[] {1});
        // When
        BusSpans.sending(work, sent).end();
        BusSpans.processing(tracing, arrived(sent), "process jobs").end();
        tracing.close();
        // Then
        assertThat(sent.headers()).singleElement().satisfies(header -> {
            assertThat(header.key()).isEqualTo(TraceParent.HEADER);
            assertThat(header.value()).hasSize(55);
        });
        assertThat(span("process jobs").getParentSpanId())
                .isEqualTo(span("send jobs").getSpanId());
    }

    @Test
    void aRecordOfARequestThatIsNotTracedIsAsItWas() {
        var sent = new ProducerRecord<>("jobs", "key", new byte[] {1});

        BusSpans.sending(tracing(0, false).request("POST /", null), sent).end();

        assertThat(sent.headers()).isEmpty();
        assertThat(BusSpans.processing(tracing(1, false), arrived(sent), "process jobs"))
                .isSameAs(RequestSpan.NONE);
        new TraceParent(CALLER.traceId(), CALLER.spanId(), true).addTo(sent.headers());
        assertThat(BusSpans.processing(Tracing.OFF, arrived(sent), "process jobs"))
                .isSameAs(RequestSpan.NONE);
    }

    private static ConsumerRecord<String, byte[]> arrived(ProducerRecord<String, byte[]> sent) {
        var record = new ConsumerRecord<>(sent.topic(), 0, 0L, sent.key(), sent.value());
        sent.headers().forEach(record.headers()::add);
        return record;
    }

    @Test
    void valuesAreBoundedAndFinishReasonsAreAList() {
        var tracing = tracing(1, false);
        tracing.request("GET /", null)
                .with(SpanAttribute.TENANT, "t".repeat(5_000))
                .with(SpanAttribute.FINISH_REASONS, "stop")
                .failed("500")
                .end();
        tracing.close();

        var attributes = span("GET /").getAttributes();
        assertThat(attributes.get(AttributeKey.stringKey("counterpoint.tenant")))
                .hasSize(200);
        assertThat(attributes.get(AttributeKey.stringArrayKey("gen_ai.response.finish_reasons")))
                .containsExactly("stop");
        assertThat(attributes.get(AttributeKey.stringKey("error.type"))).isEqualTo("500");
    }

    @Test
    void whatIsOffRecordsNothing() {
        assertThat(Tracing.OFF.on()).isFalse();
        assertThat(Tracing.OFF.request("GET /", CALLER)).isSameAs(RequestSpan.NONE);
        assertThat(Tracing.OFF.of(CALLER).child("process", Side.CONSUMER)).isSameAs(RequestSpan.NONE);
    }
}
