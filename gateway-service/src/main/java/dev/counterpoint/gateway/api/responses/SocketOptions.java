package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.config.GatewayConfig;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.enterprise.context.ApplicationScoped;

/// A message of a WebSocket may be as long as the body of a request, in one frame or several. Nothing is compressed: a
/// decoder without a bound would take any amount of memory.
@ApplicationScoped
class SocketOptions implements HttpServerOptionsCustomizer {
    private final int bytesMax;

    SocketOptions(GatewayConfig config) {
        bytesMax = (int) config.bodyBytesMax();
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setMaxWebSocketFrameSize(bytesMax)
                .setMaxWebSocketMessageSize(bytesMax)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        customizeHttpServer(options);
    }
}
