package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import java.io.IOException;
import java.nio.file.Path;

/// The keys of both ends of the bus.
record Rings(KeyRing gateway, KeyRing worker) {
    /// Generates them in an empty folder.
    static Rings in(Path folder) throws IOException {
        GenerateKeys.into(folder);
        return new Rings(KeyRing.load(folder, ServiceRole.GATEWAY), KeyRing.load(folder, ServiceRole.WORKER));
    }
}
