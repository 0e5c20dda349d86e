package dev.counterpoint.gateway.api.webhooks;

import dev.counterpoint.gateway.config.GatewayConfig;
import io.quarkus.runtime.Startup;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// Posts to URLs that tenants choose. An attempt looks the host's name up once and connects to an address of that
/// answer, after the guard has seen all of them: a name that changes its address has no effect. Redirects are not
/// followed, and of an answer only the status is read. Thread-safe.
@Singleton
@Startup
class WebhookSender {
    private static final int CONNECTIONS_MAX = 128;

    private final HostNames names;
    private final HttpClient client;
    private final AddressGuard guard;
    private final long timeoutMillis;

    @Inject
    WebhookSender(Vertx vertx, GatewayConfig config) {
        this(InetAddress::getAllByName, vertx.createHttpClient(options()), config);
    }

    WebhookSender(HostNames names, HttpClient client, GatewayConfig config) {
        this.names = names;
        this.client = client;
        guard = new AddressGuard(AddressGuard.blocks(config.webhookAddresses().orElse(List.of())));
        timeoutMillis = config.webhookTimeout().toMillis();
    }

    /// The client has no name for metrics, because a metric would have the URL's path as a label.
    static HttpClientOptions options() {
        return new HttpClientOptions().setKeepAlive(false).setMaxPoolSize(CONNECTIONS_MAX);
    }

    /// Looks up the addresses of a host.
    @FunctionalInterface
    interface HostNames {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /// The end of an attempt. A receiver confirms an event by a status from 200 to 299.
    ///
    /// @param outcome a fixed word for metrics, logs and refusals
    /// @param status of the answer; 0 when none came
    record Attempt(String outcome, int status) {
        boolean delivered() {
            return status / 100 == 2;
        }
    }

    /// Posts JSON and waits for the status of the answer, for `gateway.webhook-timeout` at most.
    Attempt post(String url, Map<String, String> headers, String body) throws InterruptedException {
        var options = new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(url);
        options.putHeader("content-type", "application/json");
        headers.forEach(options::putHeader);
        try {
            var addresses = names.addresses(options.getHost());
            if (!Stream.of(addresses).allMatch(guard::allows)) {
                return new Attempt("address_not_allowed", 0);
            }
            var checked = new InetSocketAddress(addresses[0], options.getPort());
            int status = status(options.setServer(SocketAddress.inetSocketAddress(checked)), body);
            return new Attempt(status / 100 == 2 ? "delivered" : "status", status);
        } catch (UnknownHostException | ExecutionException | TimeoutException e) {
            return new Attempt("unreachable", 0);
        }
    }

    private int status(RequestOptions options, String body)
            throws InterruptedException, ExecutionException, TimeoutException {
        var request = client.request(options);
        try {
            var answer = request.compose(it -> it.send(body)).map(HttpClientResponse::statusCode);
            return answer.toCompletionStage().toCompletableFuture().get(timeoutMillis, TimeUnit.MILLISECONDS);
        } finally {
            request.onSuccess(HttpClientRequest::reset); // closes the connection, also one that comes too late
        }
    }
}
