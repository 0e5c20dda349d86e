package dev.counterpoint.openai.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.StreamEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// One operation writes one block of a stream, as the gateway does, or reads one request. The values are those of the
/// golden files.
@State(Scope.Benchmark)
public class WireBenchmark {
    private static final int ITEMS = 100;

    private final StreamEvent textDelta = event("response.output_text.delta");
    private final StreamEvent reasoningDelta = event("response.reasoning_text.delta");
    private final StreamEvent argumentsDelta = event("response.function_call_arguments.delta");
    private final StreamEvent completed = WireJson.read(completedWithManyItems(), StreamEvent.class);
    private final ChatChunk chunk = WireJson.read(golden("chat/ChatChunk"), ChatChunk.class);
    private final byte[] request = golden("responses/CreateResponse");

    @Benchmark
    public byte[] textDelta() {
        return SseFrame.event(textDelta.type(), textDelta);
    }

    @Benchmark
    public byte[] reasoningDelta() {
        return SseFrame.event(reasoningDelta.type(), reasoningDelta);
    }

    @Benchmark
    public byte[] argumentsDelta() {
        return SseFrame.event(argumentsDelta.type(), argumentsDelta);
    }

    @Benchmark
    public byte[] completed() {
        return SseFrame.event(completed.type(), completed);
    }

    @Benchmark
    public byte[] chatChunk() {
        return SseFrame.data(chunk);
    }

    @Benchmark
    public CreateResponse parseRequest() {
        return WireJson.read(request, CreateResponse.class);
    }

    /// How long what an operation writes or reads is.
    int bytes(String operation) {
        return switch (operation) {
            case "textDelta" -> textDelta().length;
            case "reasoningDelta" -> reasoningDelta().length;
            case "argumentsDelta" -> argumentsDelta().length;
            case "completed" -> completed().length;
            case "chatChunk" -> chatChunk().length;
            case "parseRequest" -> request.length;
            default -> throw new IllegalArgumentException(operation);
        };
    }

    private static ObjectNode completedWithManyItems() {
        var event = (ObjectNode) WireJson.parse(golden("responses/StreamEvent/response.completed"));
        var message = WireJson.parse(golden("responses/OutputItem/message"));
        var output = (ArrayNode) event.at("/response/output");
        output.removeAll();
        for (int i = 0; i < ITEMS; i++) {
            output.add(message);
        }
        return event;
    }

    private static StreamEvent event(String type) {
        return WireJson.read(golden("responses/StreamEvent/" + type), StreamEvent.class);
    }

    private static byte[] golden(String name) {
        try (var file = WireBenchmark.class.getResourceAsStream("/golden/" + name + ".json")) {
            return Objects.requireNonNull(file, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
