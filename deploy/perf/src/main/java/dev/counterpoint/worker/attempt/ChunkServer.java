package dev.counterpoint.worker.attempt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Speaks as vLLM's `/v1/completions` does with `--stream-interval N`, where the model is `chunk-N`: N tokens of an
/// answer an event. A process of its own, so that its time is not the worker's.
///
/// Arguments: the time of a token of one output in microseconds; 0 for as fast as it is read.
final class ChunkServer {
    static final String MODEL = "chunk-";
    /// Of each output, the last one being the model's own end.
    static final int TOKENS = 1_500;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final int[] WORDS =
            TOKENIZER.encode(" a worker reads tokens, tells what they say and hands each on as it comes");

    private final long tokenNanos;

    private ChunkServer(long tokenNanos) {
        this.tokenNanos = tokenNanos;
    }

    static void main(String[] arguments) throws IOException {
        var server = new ChunkServer(Duration.ofMillis(1).toNanos() * Long.parseLong(arguments[0]) / 1000);
        var http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/health", exchange -> answer(exchange, ""));
        http.createContext("/version", exchange -> answer(exchange, "{\"version\":\"0.32.0\"}"));
        http.createContext("/v1/models", exchange -> answer(exchange, models()));
        http.createContext("/v1/completions", server::complete);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.start();
        System.out.println("port " + http.getAddress().getPort());
    }

    private static String models() {
        return WorkerTokenBench.CHUNKS.stream()
                .map(size -> "{\"id\":\"" + MODEL + size
                        + "\",\"object\":\"model\",\"owned_by\":\"vllm\",\"max_model_len\":8192}")
                .collect(Collectors.joining(",", "{\"object\":\"list\",\"data\":[", "]}"));
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void complete(HttpExchange exchange) throws IOException {
        JsonNode asked = JSON.readTree(exchange.getRequestBody());
        int chunk = Integer.parseInt(asked.path("model").asText().substring(MODEL.length()));
        int[] output = output(Math.min(TOKENS, asked.path("max_tokens").asInt()));
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (var out = exchange.getResponseBody()) {
            long next = System.nanoTime();
            for (int from = 0; from < output.length; from += chunk) {
                int to = Math.min(output.length, from + chunk);
                out.write(event(Arrays.copyOfRange(output, from, to), to == output.length));
                out.flush();
                next += tokenNanos * (to - from);
                LockSupport.parkNanos(next - System.nanoTime());
            }
            out.write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static int[] output(int length) {
        int[] begin = AttemptTest.answer("");
        return IntStream.range(0, length)
                .map(i -> i < begin.length
                        ? begin[i]
                        : i == TOKENS - 1 ? SpecialTokens.RETURN : WORDS[(i - begin.length) % WORDS.length])
                .toArray();
    }

    /// With all that vLLM 0.32.0 writes.
    private static byte[] event(int[] tokens, boolean last) {
        var finish = last ? tokens[tokens.length - 1] == SpecialTokens.RETURN ? "\"stop\"" : "\"length\"" : "null";
        var stop = finish.equals("\"stop\"") ? String.valueOf(SpecialTokens.RETURN) : "null";
        var event = """
                data: {"id":"cmpl-7d4b1f0a","object":"text_completion","created":1764000000,"model":"m",\
                "choices":[{"index":0,"text":%s,"logprobs":null,"finish_reason":%s,"stop_reason":%s,\
                "prompt_token_ids":null,"token_ids":%s}],"usage":null}

                """.formatted(JSON.valueToTree(TOKENIZER.decode(tokens)), finish, stop, Arrays.toString(tokens));
        return event.getBytes(StandardCharsets.UTF_8);
    }
}
