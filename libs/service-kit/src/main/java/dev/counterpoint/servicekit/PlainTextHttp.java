package dev.counterpoint.servicekit;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.enterprise.context.ApplicationScoped;

/// Without TLS a server speaks HTTP/1.1 and nothing else: an upgrade to HTTP/2 gets past proxies that check
/// requests one by one. With TLS, HTTP/2 is agreed on in the handshake.
@ApplicationScoped
class PlainTextHttp implements HttpServerOptionsCustomizer {
    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setHttp2ClearTextEnabled(false);
    }
}
