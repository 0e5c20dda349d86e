package dev.counterpoint.servicekit;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocket;
import io.vertx.ext.web.Router;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A server behind a [Drain], and a client that keeps one connection.
final class DrainedServer implements AutoCloseable {
    private static final long SECONDS_MAX = 20;

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    /// Completes what `/begun` answers.
    private final Promise<Void> rest = Promise.promise();
    private final HttpClient client;

    /// @param closed completes when the server has closed the connection
    record Answer(int status, HttpConnection connection, CompletableFuture<Void> closed) {}

    DrainedServer(Drain drain, HttpVersion version) throws InterruptedException, ExecutionException, TimeoutException {
        var router = Router.router(vertx);
        router.route().handler(drain::count);
        router.route("/begun").handler(http -> {
            http.response().setChunked(true).write("begun");
            rest.future().onSuccess(_ -> http.response().end());
        });
        router.route("/socket")
                .handler(http -> http.request()
                        .toWebSocket()
                        .onSuccess(socket -> socket.closeHandler(_ -> RequestEnd.ofUpgraded(http))));
        router.route().handler(http -> http.response().end("served"));
        server = get(vertx.createHttpServer().requestHandler(router).listen(0));
        client = vertx.createHttpClient(new HttpClientOptions()
                .setProtocolVersion(version)
                .setHttp2ClearTextUpgrade(false)
                .setMaxPoolSize(1));
    }

    /// An answer whose head has come; its body may be on its way.
    ///
    /// @param closed completes when the server has closed the connection
    record Begun(HttpClientResponse response, Future<Buffer> body, CompletableFuture<Void> closed) {}

    /// Ends once [#whole] asks for the rest.
    Begun begun() throws InterruptedException, ExecutionException, TimeoutException {
        return request("/begun");
    }

    WebSocket socket() throws InterruptedException, ExecutionException, TimeoutException {
        return get(vertx.createWebSocketClient().connect(server.actualPort(), "localhost", "/socket"));
    }

    Answer answer() throws InterruptedException, ExecutionException, TimeoutException {
        return whole(request("/"));
    }

    Answer whole(Begun begun) throws InterruptedException, ExecutionException, TimeoutException {
        rest.tryComplete();
        get(begun.body);
        return new Answer(begun.response.statusCode(), begun.response.request().connection(), begun.closed);
    }

    /// All on the connection's own thread: a body that is asked for later may be gone with the connection.
    private Begun request(String path) throws InterruptedException, ExecutionException, TimeoutException {
        var closed = new CompletableFuture<Void>();
        return get(client.request(HttpMethod.GET, server.actualPort(), "localhost", path)
                .compose(request -> {
                    request.connection().closeHandler(_ -> closed.complete(null));
                    return request.send().map(response -> new Begun(response, response.body(), closed));
                }));
    }

    void awaitClosed(Answer answer) throws InterruptedException, ExecutionException, TimeoutException {
        answer.closed.get(SECONDS_MAX, TimeUnit.SECONDS);
    }

    private static <T> T get(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.toCompletionStage().toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        vertx.close();
    }
}
