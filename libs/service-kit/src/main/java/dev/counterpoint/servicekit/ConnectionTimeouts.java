package dev.counterpoint.servicekit;

import io.netty.channel.Channel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.AttributeKey;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Closes server connections whose client does not send a whole head, or a whole body, in time. The server's own
/// idle timeout knows bytes only, so one byte now and then holds a connection for ever; and it must be longer than
/// an answer may take to begin.
///
/// Each event loop looks at its own connections once a second, so nothing here is shared between threads.
@ApplicationScoped
class ConnectionTimeouts {
    private static final long LOOK_MILLIS = 1_000;
    /// Before everything that may answer, hence earlier than any other filter.
    private static final int FIRST = 20_000;

    private static final AttributeKey<Connection> CONNECTION = AttributeKey.valueOf("counterpoint.connection");

    private final Vertx vertx;
    private final ConnectionConfig config;
    private final long timer;

    ConnectionTimeouts(Vertx vertx, ConnectionConfig config) {
        this.vertx = vertx;
        this.config = config;
        timer = vertx.setPeriodic(LOOK_MILLIS, _ -> lookOnEveryLoop());
    }

    @PreDestroy
    void stop() {
        vertx.cancelTimer(timer);
    }

    /// What one connection is at. Confined to its event loop.
    private static final class Connection {
        private final Set<Upload> open = new HashSet<>();
        private boolean used;
        private long sinceNanos = System.nanoTime();

        private static Connection of(Channel channel) {
            var attribute = channel.attr(CONNECTION);
            var known = attribute.get();
            if (known == null) {
                known = new Connection();
                attribute.set(known);
            }
            return known;
        }

        private void begin(Upload upload) {
            used = true;
            sinceNanos = System.nanoTime();
            open.add(upload);
        }

        private void end(Upload upload) {
            sinceNanos = System.nanoTime();
            open.remove(upload);
        }

        private boolean isOverdue(ConnectionConfig config) {
            var age = Duration.ofNanos(System.nanoTime() - sinceNanos);
            if (open.isEmpty()) {
                return age.compareTo(used ? config.keepAliveTimeout() : config.headTimeout()) > 0;
            }
            return age.compareTo(config.bodyTimeout()) > 0 && open.stream().anyMatch(Upload::isUnderWay);
        }
    }

    /// The body of one request. A request does not say that it has come to its end while its reader asks for no more,
    /// and who knows the length reads no further: so bytes are counted where a length was told. Confined to its
    /// connection's event loop.
    private static final class Upload {
        private final HttpServerRequest request;
        private final long length;
        private boolean ended;

        private Upload(HttpServerRequest request) {
            this.request = request;
            if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
                length = Long.MAX_VALUE;
                request.end().onComplete(_ -> ended = true);
            } else {
                length = toldLength(request);
            }
        }

        private static long toldLength(HttpServerRequest request) {
            try {
                return Long.parseLong(request.getHeader(HttpHeaders.CONTENT_LENGTH));
            } catch (NumberFormatException e) {
                return 0; // no body, or one that the server refuses
            }
        }

        private boolean isUnderWay() {
            return !ended && request.bytesRead() < length;
        }
    }

    void register(@Observes Filters filters) {
        filters.register(ConnectionTimeouts::note, FIRST);
    }

    private static void note(RoutingContext http) {
        if (http.request().connection() instanceof ConnectionBase underneath) {
            var upload = new Upload(http.request());
            var connection = Connection.of(underneath.channel());
            connection.begin(upload);
            http.addEndHandler(_ -> underneath.channel().eventLoop().execute(() -> connection.end(upload)));
        }
        http.next();
    }

    private void lookOnEveryLoop() {
        ((VertxInternal) vertx).getEventLoopGroup().forEach(loop -> {
            if (loop instanceof SingleThreadEventLoop own && !own.isShuttingDown()) {
                own.execute(() -> look(own));
            }
        });
    }

    private void look(SingleThreadEventLoop loop) {
        var overdue = new HashSet<Channel>();
        loop.registeredChannelsIterator().forEachRemaining(channel -> {
            if (isOurs(channel.parent()) && Connection.of(channel).isOverdue(config)) {
                overdue.add(channel);
            }
        });
        overdue.forEach(Channel::close); // not while iterating: closing takes it out of the loop
    }

    /// Clients' connections have no parent, those of a server have its listening socket.
    private static boolean isOurs(@Nullable Channel parent) {
        return parent != null;
    }
}
