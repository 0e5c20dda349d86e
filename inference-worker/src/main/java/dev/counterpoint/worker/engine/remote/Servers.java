package dev.counterpoint.worker.engine.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.worker.engine.GenerationRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.concurrent.Executors;

/// The way to the servers: one pool of connections, and what they are told. Thread-safe.
final class Servers implements AutoCloseable {
    /// Tokens at the beginning of a prompt that decide which server it goes to: more than the system
    /// message, which all prompts share, and few enough that the turns of a conversation agree in them.
    private static final int AFFINITY_TOKENS = 256;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RemoteOptions options;
    private final HttpClient client;
    private final Replicas replicas;

    Servers(RemoteOptions options) {
        this.options = options;
        client = HttpClient.newBuilder()
                // All of them speak it; none needs an upgrade first.
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(options.times().connect())
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
        long healthNanos = options.times().health().toNanos();
        var all = options.servers().stream()
                .map(address -> new Replica(address, healthNanos, System.nanoTime()))
                .toList();
        replicas = new Replicas(
                all,
                client,
                address -> to(address, options.dialect().healthPath())
                        .timeout(options.times().connect())
                        .GET()
                        .build());
    }

    RemoteOptions options() {
        return options;
    }

    Replicas replicas() {
        return replicas;
    }

    /// Sends a request and waits for the head of the answer.
    EventStream open(Replica server, Ask ask, long deadlineNanos, Runnable heard)
            throws RemoteFailure, InterruptedException {
        byte[] body;
        try {
            body = JSON.writeValueAsBytes(options.dialect().request(ask));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a request is not JSON");
        }
        var request = to(server.address(), options.dialect().path())
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return EventStream.open(client, request, deadlineNanos, heard);
    }

    private HttpRequest.Builder to(URI address, String path) {
        var request = HttpRequest.newBuilder(URI.create(address + path));
        return options.apiKey() == null ? request : request.header("Authorization", "Bearer " + options.apiKey());
    }

    /// The same for requests under one salt that begin alike.
    static long affinity(GenerationRequest request) {
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
