package dev.counterpoint.gateway.problem;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.servicekit.DrainSettings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/// How the gateway drains.
final class GatewayDrain {
    private static final long RETRY_AFTER_SECONDS = 1;

    private GatewayDrain() {}

    @Produces
    @Singleton
    static DrainSettings settings(GatewayConfig config) {
        return new DrainSettings(
                config.drainDelay(),
                config.drainTimeout(),
                Problem.unavailable("This replica is stopping; try again.", RETRY_AFTER_SECONDS));
    }
}
