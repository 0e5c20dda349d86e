package dev.counterpoint.engine.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.http.ServerFailure.Kind;
import dev.counterpoint.engine.http.UpstreamServer.Pulse;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way to the servers: one pool of connections, which servers are left out, which one gets a request, and when
/// another one does. Thread-safe.
public final class UpstreamClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamClient.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long TICK_MILLIS = 100;
    /// A request is sent this often at most.
    private static final int TRIES_MAX = 3;
    /// The pause before a busy server is asked again that did not say when; twice as long each time.
    private static final long PAUSE_MILLIS = 500;
    private static final int OK = 200;
    /// More than any engine has slots.
    private static final int CONNECTIONS_MAX = 1 << 16;

    private static final String AUTHORIZATION = "Authorization";
    private static final String BEARER = "Bearer ";
    private static final String JSON_TYPE = "application/json";

    private final UpstreamAccess access;
    private final ServerExaminer examiner;
    /// For questions, which are few.
    private final HttpClient client;
    /// One event loop reads all answers: its work is some microseconds a token, and nothing changes threads.
    private final Vertx streaming = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final io.vertx.core.http.HttpClient streams;
    private final LoadBalancer balancer;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("remote-health").daemon().factory());

    /// Hears the answer of one server.
    @FunctionalInterface
    public interface Listening<T> {
        /// @throws ServerFailure when it came to nothing
        T on(UpstreamServer server) throws ServerFailure, InterruptedException;
    }

    /// @param examiner looks at servers before they are used
    public UpstreamClient(UpstreamAccess access, ServerExaminer examiner) {
        this.access = access;
        this.examiner = examiner;
        client = HttpClient.newBuilder()
                // All of them speak it; none needs an upgrade first.
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(access.timeouts().connect())
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
        var options = new HttpClientOptions()
                .setConnectTimeout(Math.toIntExact(access.timeouts().connect().toMillis()));
        streams = streaming.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
        long healthNanos = access.timeouts().health().toNanos();
        balancer = new LoadBalancer(access.servers().stream()
                .map(address -> new UpstreamServer(address, healthNanos, System.nanoTime()))
                .toList());
        timer.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    List<UpstreamServer> servers() {
        return balancer.servers();
    }

    private void tick() {
        for (var server : balancer.servers()) {
            if (server.due(System.nanoTime())) {
                Thread.startVirtualThread(() -> check(server));
            }
        }
    }

    /// Asks a server after its health, and examines it before it is used, or used again.
    private void check(UpstreamServer server) {
        try {
            var health = to(server.address(), access.healthPath())
                    .timeout(access.timeouts().connect())
                    .build();
            int status = client.send(health, BodyHandlers.discarding()).statusCode();
            var refusal = access.keyFault(status);
            if (refusal != null) {
                examined(server, refusal);
            } else if (status == OK && server.unexamined()) {
                examined(server, objection(server));
            } else {
                answered(server, status == OK ? Pulse.WELL : Pulse.ILL);
            }
            if (status == OK && server.usable()) {
                examiner.look(this, server);
            }
        } catch (HttpTimeoutException e) {
            answered(server, e instanceof HttpConnectTimeoutException ? Pulse.GONE : Pulse.NONE);
        } catch (IOException e) {
            answered(server, Pulse.GONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable String objection(UpstreamServer server) throws InterruptedException {
        try {
            return examiner.objection(this, server);
        } catch (RuntimeException e) {
            return "it could not be examined: " + e.getClass().getSimpleName();
        }
    }

    private void examined(UpstreamServer server, @Nullable String objection) {
        boolean news = server.examined(objection, System.nanoTime());
        if (news && objection != null) {
            isLeftOut(server, objection);
        } else if (news) {
            LOG.warn("server is back address={}", server.address());
        }
    }

    private void answered(UpstreamServer server, Pulse pulse) {
        if (server.answered(pulse, System.nanoTime())) {
            isLeftOut(server, "its health: " + pulse);
        }
    }

    private void isLeftOut(UpstreamServer server, String cause) {
        balancer.forget(server);
        if (!timer.isShutdown()) {
            LOG.warn("server is left out address={} cause=\"{}\"", server.address(), cause);
        }
    }

    /// Has a server listened to, and another one when that failed and may be tried again. Where all are
    /// busy, waits as they say, as long as a first token may take.
    ///
    /// @param prompt decides with the load who is asked
    /// @param untouched whether nothing came of the request so far
    public <T> T listen(PromptPrefix prompt, BooleanSupplier untouched, Listening<T> listening)
            throws ServerFailure, InterruptedException {
        long deadline = System.nanoTime() + access.timeouts().firstToken().toNanos();
        var tried = new HashSet<UpstreamServer>();
        var failure = ServerFailure.wrong("all servers are left out");
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            var server = balancer.take(prompt, tried);
            if (server == null && mayAskAgain(failure, tries, deadline)) {
                server = balancer.take(prompt, Set.of());
            }
            if (server == null) {
                throw failure;
            }
            try {
                return listening.on(server);
            } catch (ServerFailure e) {
                if (server.failed(e.kind(), System.nanoTime())) {
                    isLeftOut(server, String.valueOf(e.getMessage()));
                }
                if (!untouched.getAsBoolean() || !e.anotherMayDo()) {
                    throw e;
                }
                tried.add(server);
                failure = e;
            } finally {
                server.end();
            }
        }
        throw failure;
    }

    /// Whether the servers that failed may be asked once more; waits before that while all are busy.
    private static boolean mayAskAgain(ServerFailure failure, int tries, long deadlineNanos)
            throws InterruptedException {
        if (failure.kind() == Kind.CUT) {
            // The server may have closed a connection of the pool in the very moment in which we used it.
            return true;
        }
        var asked = failure.retryAfter();
        long millis = asked == null ? PAUSE_MILLIS << tries : asked.toMillis();
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (failure.kind() != Kind.BUSY || millis > left) {
            return false;
        }
        Thread.sleep(millis);
        return true;
    }

    /// Sends a request and waits for the head of the answer.
    ///
    /// @param call what is posted
    /// @param deadlineNanos as [System#nanoTime] has it
    EventStream open(UpstreamServer server, Call call, long deadlineNanos, EventStream.Reader reader)
            throws ServerFailure, InterruptedException {
        var request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(server.address() + call.path)
                .putHeader("Content-Type", JSON_TYPE)
                .putHeader("Accept", "text/event-stream");
        if (access.apiKey() != null) {
            request.putHeader(AUTHORIZATION, BEARER + access.apiKey());
        }
        var question = new EventStream.Question(streams, request, Buffer.buffer(json(call)));
        return EventStream.open(question, deadlineNanos, reader);
    }

    /// Asks one server, whether it is used or not, and has its answer heard.
    ///
    /// @param openNanos when the head of the answer is late, as [System#nanoTime] has it
    public <T> T listen(UpstreamServer server, Call call, long openNanos, EventStream.Listener<T> listener)
            throws ServerFailure, InterruptedException {
        try (var answer = open(server, call, openNanos, EventStream.Reader.NOBODY)) {
            return answer.listen(listener);
        }
    }

    private static byte[] json(Call call) {
        try {
            return JSON.writeValueAsBytes(call.body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a request is not JSON");
        }
    }

    /// Asks one server, whether it is used or not, and waits for the whole answer.
    ///
    /// @param call what is posted; where it has no body, the path is asked for
    public UpstreamReply ask(UpstreamServer server, Call call, Duration atMost) throws InterruptedException {
        var request = to(server.address(), call.path);
        if (!call.body.isMissingNode()) {
            request.header("Content-Type", JSON_TYPE).POST(BodyPublishers.ofByteArray(json(call)));
        }
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
        return access.apiKey() == null ? request : request.header(AUTHORIZATION, BEARER + access.apiKey());
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.shutdownNow();
        streaming.close();
    }
}
