package dev.counterpoint.engine.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The way to the servers: one pool of connections, which server gets a request, and when another one
/// does. Thread-safe.
public final class UpstreamClient implements AutoCloseable {
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

    /// @param examiner looks at servers before they are used
    public UpstreamClient(UpstreamAccess access, ServerExaminer examiner) {
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
                        .build(),
                new LoadBalancer.Examination() {
                    @Override
                    public @Nullable String objection(UpstreamServer server) throws InterruptedException {
                        return examiner.objection(UpstreamClient.this, server);
                    }

                    @Override
                    public void look(UpstreamServer server) throws InterruptedException {
                        examiner.look(UpstreamClient.this, server);
                    }

                    @Override
                    public @Nullable String refusal(int status) {
                        return access.keyFault(status);
                    }
                });
    }

    /// Servers that are left out although nothing is known against them.
    List<URI> silent() {
        return replicas.silent();
    }

    /// What the engine has against servers, by their addresses.
    public Map<URI, String> objections() {
        return replicas.objections();
    }

    public List<UpstreamServer> usable() {
        return replicas.usable();
    }

    /// The addresses of the servers that may be used and have answered before.
    public List<URI> ready() {
        return replicas.ready();
    }

    public int size() {
        return replicas.size();
    }

    /// Has a server listened to, and another one when that failed and may be tried again. Where all are
    /// busy, waits as they say, as long as a first token may take.
    ///
    /// @param prompt decides with the load who is asked
    /// @param untouched whether nothing came of the request so far
    public <T> T listen(PromptPrefix prompt, BooleanSupplier untouched, Listening<T> listening)
            throws ServerFailure, InterruptedException {
        var tries = new Tries(replicas, prompt, access.timeouts().firstToken());
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
        var request = post(server, call).header("Accept", "text/event-stream").build();
        return EventStream.open(client, request, deadlineNanos, () -> {
            server.heard();
            heard.run();
        });
    }

    private HttpRequest.Builder post(UpstreamServer server, Call call) {
        byte[] body;
        try {
            body = JSON.writeValueAsBytes(call.body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a request is not JSON");
        }
        var request = to(server.address(), call.path).header("Content-Type", "application/json");
        return request.POST(BodyPublishers.ofByteArray(body));
    }

    /// Asks one server, whether it is used or not, and waits for the whole answer.
    ///
    /// @param call what is posted; where it has no body, the path is asked for
    public UpstreamReply ask(UpstreamServer server, Call call, Duration atMost) throws InterruptedException {
        var request = call.body.isMissingNode() ? to(server.address(), call.path) : post(server, call);
        try {
            return UpstreamReply.ask(client, request, atMost).get();
        } catch (ExecutionException e) {
            return UpstreamReply.NONE;
        }
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

    @Override
    public void close() {
        replicas.close();
        client.shutdownNow();
    }
}
