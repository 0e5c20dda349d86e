package dev.counterpoint.local.faults;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.local.SuiteWiring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A detour from each service to the broker, and from those with tables to the database, so that each can be cut off
/// alone. Needs no rights that an ordinary user lacks.
final class Detours implements AutoCloseable {
    private final Map<String, Detour> toBroker = new LinkedHashMap<>();
    private final Map<String, Detour> toDatabase = new LinkedHashMap<>();
    private final List<String> brokerArguments = new ArrayList<>();

    /// @param databasePort where PostgreSQL will listen
    Detours(int databasePort) {
        for (var service : Cast.SERVICES) {
            int listen = FreePort.find();
            var detour = new Detour(listen);
            toBroker.put(service, detour);
            brokerArguments.add("--via=" + listen + ":" + detour.port());
            if (Cast.usesDatabase(service)) {
                toDatabase.put(service, new Detour(databasePort));
            }
        }
    }

    /// How the suite is to be started.
    ///
    /// @param more variables of all workers
    SuiteWiring wiring(Map<String, String> more) {
        var variables = new HashMap<String, Map<String, String>>();
        toBroker.forEach((service, detour) -> {
            var own = new HashMap<>(Cast.WORKERS.contains(service) ? more : Map.of());
            own.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + detour.port());
            variables.put(service, own);
        });
        toDatabase.forEach((service, detour) -> {
            var database = Cast.GATEWAYS.contains(service) ? FinalTables.GATEWAY : FinalTables.AUDIT;
            variables
                    .computeIfAbsent(service, _ -> new HashMap<>())
                    .put(
                            "QUARKUS_DATASOURCE_JDBC_URL",
                            "jdbc:postgresql://127.0.0.1:" + detour.port() + "/" + database);
        });
        return new SuiteWiring(brokerArguments, variables);
    }

    Detour toBroker(String service) {
        return find(toBroker, service);
    }

    Detour toDatabase(String service) {
        return find(toDatabase, service);
    }

    private static Detour find(Map<String, Detour> detours, String service) {
        var detour = detours.get(service);
        if (detour == null) {
            throw new IllegalArgumentException("no detour for " + service);
        }
        return detour;
    }

    void heal() {
        toBroker.values().forEach(Detour::heal);
        toDatabase.values().forEach(Detour::heal);
    }

    @Override
    public void close() {
        toBroker.values().forEach(Detour::close);
        toDatabase.values().forEach(Detour::close);
    }
}
