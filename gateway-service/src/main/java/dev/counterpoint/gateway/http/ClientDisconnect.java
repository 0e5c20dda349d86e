package dev.counterpoint.gateway.http;

import dev.counterpoint.servicekit.RequestEnd;
import io.vertx.ext.web.RoutingContext;

/// Learns that a client has left, or has got its whole answer.
public final class ClientDisconnect {
    private ClientDisconnect() {}

    /// Runs `then` once or twice, at once where the client left before anybody listened.
    ///
    /// @param http the request at hand; the only one that learns early that a client has left
    public static void listen(RoutingContext http, Runnable then) {
        RequestEnd.listen(http, _ -> then.run());
        if (http.response().closed()) {
            then.run();
        }
    }
}
