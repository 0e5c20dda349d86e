package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.testkit.TestKeys;

/// The keys of both ends of the bus.
public record Rings(KeyRing gateway, KeyRing worker) {
    public static Rings ofTests() {
        return new Rings(TestKeys.of(ServiceRole.GATEWAY), TestKeys.of(ServiceRole.WORKER));
    }
}
