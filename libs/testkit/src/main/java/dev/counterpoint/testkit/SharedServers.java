package dev.counterpoint.testkit;

import java.util.Properties;
import java.util.function.Supplier;

/// One server per JVM. Quarkus loads the classes of a test anew for each test profile, so a static field is not
/// "once per JVM"; the system properties are, and an address is a string.
final class SharedServers {
    private static final String PREFIX = "counterpoint.testkit.";

    private SharedServers() {}

    /// The address under which `name` is reachable; `start` runs once in this JVM and returns it.
    static String address(String name, Supplier<String> start) {
        Properties jvm = System.getProperties();
        // The one object that all class loaders see the same.
        synchronized (jvm) {
            String known = jvm.getProperty(PREFIX + name);
            if (known != null) {
                return known;
            }
            String address = start.get();
            jvm.setProperty(PREFIX + name, address);
            return address;
        }
    }
}
