package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.testkit.TestKeys;

/// The keys of both ends of the bus.
record Rings(KeyRing gateway, KeyRing worker) {
    static Rings ofTests() {
        return new Rings(TestKeys.of(ServiceRole.GATEWAY), TestKeys.of(ServiceRole.WORKER));
    }
}
