package dev.counterpoint.engine.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.GenerationRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/// The way to the servers: one pool of connections, which server gets a request, and when another one
/// does. Thread-safe.
public final class UpstreamClient implements AutoCloseable {
    /// Tokens at the beginning of a prompt that decide which server it goes to: more than the system
    /// message, which all prompts share, and few enough that the turns of a conversation agree in them.
    private static final int AFFINITY_TOKENS = 256;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final UpstreamAccess access;
    private final HttpClient client;
    private final LoadBalancer replicas;

    /// Hears the answer of one server.
    @FunctionalInterface
    public interface Listening<T> {
        /// @throws ServerFailure when it came to nothing
        T on(UpstreamServer server) throws ServerFailure, InterruptedException;
    }

    public UpstreamClient(UpstreamAccess access) {
        this.access = access;
        client = HttpClient.newBuilder()
                // All of them speak it; none needs an upgrade first.
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(access.timeouts().connect())
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
        long healthNanos = access.timeouts().health().toNanos();
        var all = access.servers().stream()
                .map(address -> new UpstreamServer(address, healthNanos, System.nanoTime()))
                .toList();
        replicas = new LoadBalancer(
                all,
                client,
                address -> to(address, access.healthPath())
                        .timeout(access.timeouts().connect())
                        .GET()
                        .build());
    }

    /// The number of servers that may be used and have answered before.
    public int ready() {
        return replicas.ready();
    }

    public int size() {
        return replicas.size();
    }

    /// Has a server listened to, and another one when that failed and may be tried again. Where all are
    /// busy, waits as they say, as long as a first token may take.
    ///
    /// @param affinity the same for requests that begin alike
    /// @param untouched whether nothing came of the request so far
    public <T> T listen(long affinity, BooleanSupplier untouched, Listening<T> listening)
            throws ServerFailure, InterruptedException {
        var tries = new Tries(replicas, affinity, access.timeouts().firstToken());
        while (true) {
            var server = tries.next();
            try {
                return listening.on(server);
            } catch (ServerFailure e) {
                replicas.failed(server, e);
                if (!untouched.getAsBoolean()) {
                    throw e;
                }
                tries.failed(server, e);
            } finally {
                server.end();
            }
        }
    }

    /// Sends a request and waits for the head of the answer.
    ///
    /// @param call what is posted
    /// @param deadlineNanos as [System#nanoTime] has it
    /// @param heard told whenever anything comes from the server
    public EventStream open(UpstreamServer server, Call call, long deadlineNanos, Runnable heard)
            throws ServerFailure, InterruptedException {
        byte[] body;
        try {
            body = JSON.writeValueAsBytes(call.body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a request is not JSON");
        }
        var request = to(server.address(), call.path)
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return EventStream.open(client, request, deadlineNanos, heard);
    }

    /// @param path below a server's address
    public record Call(String path, JsonNode body) {
        /// Prompts are content.
        @Override
        public String toString() {
            return "Call[path=" + path + "]";
        }
    }

    private HttpRequest.Builder to(URI address, String path) {
        var request = HttpRequest.newBuilder(URI.create(address + path));
        return access.apiKey() == null ? request : request.header("Authorization", "Bearer " + access.apiKey());
    }

    /// The same for requests under one salt that begin alike.
    public static long affinity(GenerationRequest request) {
        int[] prompt = request.prompt();
        int[] beginning = Arrays.copyOf(prompt, Math.min(prompt.length, AFFINITY_TOKENS));
        return ((long) request.cacheSalt().hashCode() << Integer.SIZE) ^ Arrays.hashCode(beginning);
    }

    @Override
    public void close() {
        replicas.close();
        client.shutdownNow();
    }
}
