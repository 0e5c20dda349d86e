package dev.counterpoint.gateway.config;

import java.util.UUID;

/// This process. No other has its name, before it or after it; its heartbeats are sent under it.
public final class GatewayIncarnation {
    private static final String NAME = "gateway-" + UUID.randomUUID();

    private GatewayIncarnation() {}

    public static String name() {
        return NAME;
    }
}
