package dev.counterpoint.servicekit;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Learns that a request has ended. The server reports no end of one whose connection became a WebSocket. On the
/// connection's event loop; the first listener registers there too.
public final class RequestEnd {
    private static final String NAME = "counterpoint.requestEnd";

    private RequestEnd() {}

    /// @param then run once; told whether the client got the whole answer
    public static void listen(RoutingContext http, Handler<AsyncResult<Void>> then) {
        List<Handler<AsyncResult<Void>>> all = http.get(NAME);
        if (all == null) {
            all = new CopyOnWriteArrayList<>();
            http.put(NAME, all);
            http.addEndHandler(how -> end(http, how));
        }
        all.add(then);
    }

    /// The WebSocket that a request became is closed.
    public static void ofUpgraded(RoutingContext http) {
        end(http, Future.succeededFuture());
    }

    private static void end(RoutingContext http, AsyncResult<Void> how) {
        List<Handler<AsyncResult<Void>>> all = http.remove(NAME);
        if (all != null) {
            all.forEach(then -> then.handle(how));
        }
    }
}
