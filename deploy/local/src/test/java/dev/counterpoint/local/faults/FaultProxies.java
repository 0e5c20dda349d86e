package dev.counterpoint.local.faults;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.local.SuiteWiring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A proxy from each service to the broker, and from those with tables to the database, so that each can be cut off
/// alone. Needs no rights that an ordinary user lacks.
final class FaultProxies implements AutoCloseable {
    private final Map<String, FaultProxy> toBroker = new LinkedHashMap<>();
    private final Map<String, FaultProxy> toDatabase = new LinkedHashMap<>();
    private final List<String> brokerArguments = new ArrayList<>();

    /// @param databasePort where PostgreSQL will listen
    FaultProxies(int databasePort) {
        for (var service : Cast.SERVICES) {
            int listen = FreePort.find();
            var proxy = new FaultProxy(listen);
            toBroker.put(service, proxy);
            brokerArguments.add("--via=" + listen + ":" + proxy.port());
            if (Cast.usesDatabase(service)) {
                toDatabase.put(service, new FaultProxy(databasePort));
            }
        }
    }

    /// How the suite is to be started.
    ///
    /// @param more variables of all workers
    SuiteWiring wiring(Map<String, String> more) {
        var variables = new HashMap<String, Map<String, String>>();
        toBroker.forEach((service, proxy) -> {
            var own = new HashMap<>(Cast.WORKERS.contains(service) ? more : Map.of());
            own.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + proxy.port());
            variables.put(service, own);
        });
        toDatabase.forEach((service, proxy) -> {
            var database = Cast.GATEWAYS.contains(service) ? FinalTables.GATEWAY : FinalTables.AUDIT;
            variables
                    .computeIfAbsent(service, _ -> new HashMap<>())
                    .put("QUARKUS_DATASOURCE_JDBC_URL", "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + database);
        });
        return new SuiteWiring(brokerArguments, variables);
    }

    FaultProxy toBroker(String service) {
        return find(toBroker, service);
    }

    FaultProxy toDatabase(String service) {
        return find(toDatabase, service);
    }

    private static FaultProxy find(Map<String, FaultProxy> proxies, String service) {
        var proxy = proxies.get(service);
        if (proxy == null) {
            throw new IllegalArgumentException("no proxy for " + service);
        }
        return proxy;
    }

    void heal() {
        toBroker.values().forEach(FaultProxy::heal);
        toDatabase.values().forEach(FaultProxy::heal);
    }

    @Override
    public void close() {
        toBroker.values().forEach(FaultProxy::close);
        toDatabase.values().forEach(FaultProxy::close);
    }
}
