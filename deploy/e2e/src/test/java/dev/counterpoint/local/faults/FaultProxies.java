package dev.counterpoint.local.faults;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.local.SuiteWiring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A proxy from each service to each broker, and from those with tables to the database, so that each can be cut off
/// alone. Needs no rights that an ordinary user lacks.
final class FaultProxies implements AutoCloseable {
    /// A cluster notices the loss of a broker as late as Kafka's usual settings say.
    private static final List<String> USUAL_SESSION =
            List.of("--set", "broker.session.timeout.ms=9000", "--set", "broker.heartbeat.interval.ms=2000");

    private final Map<String, List<FaultProxy>> toBrokers = new LinkedHashMap<>();
    private final Map<String, FaultProxy> toDatabase = new LinkedHashMap<>();
    private final List<List<String>> brokerArguments = new ArrayList<>();

    /// @param databasePort where PostgreSQL will listen
    /// @param brokers how many
    FaultProxies(int databasePort, int brokers) {
        for (int broker = 0; broker < brokers; broker++) {
            brokerArguments.add(new ArrayList<>(brokers > 1 ? USUAL_SESSION : List.of()));
        }
        for (var service : Cast.SERVICES) {
            toBrokers.put(
                    service, brokerArguments.stream().map(FaultProxies::before).toList());
            if (Cast.usesDatabase(service)) {
                toDatabase.put(service, new FaultProxy(databasePort));
            }
        }
    }

    /// In the same order for each broker, so that a service finds all of them by its own proxies.
    private static FaultProxy before(List<String> broker) {
        int listen = FreePort.find();
        var proxy = new FaultProxy(listen);
        broker.add("--via=" + listen + ":" + proxy.port());
        return proxy;
    }

    /// How the suite is to be started.
    ///
    /// @param more variables of every service
    SuiteWiring wiring(Map<String, String> more) {
        var variables = new HashMap<String, Map<String, String>>();
        toBrokers.forEach((service, proxies) -> {
            var own = new HashMap<>(more);
            own.put(
                    "KAFKA_BOOTSTRAP_SERVERS",
                    proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(",")));
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

    /// To all brokers.
    List<FaultProxy> toBroker(String service) {
        return find(toBrokers, service);
    }

    FaultProxy toDatabase(String service) {
        return find(toDatabase, service);
    }

    private static <T> T find(Map<String, T> proxies, String service) {
        var proxy = proxies.get(service);
        if (proxy == null) {
            throw new IllegalArgumentException("no proxy for " + service);
        }
        return proxy;
    }

    void heal() {
        toBrokers.values().forEach(proxies -> proxies.forEach(FaultProxy::heal));
        toDatabase.values().forEach(FaultProxy::heal);
    }

    @Override
    public void close() {
        toBrokers.values().forEach(proxies -> proxies.forEach(FaultProxy::close));
        toDatabase.values().forEach(FaultProxy::close);
    }
}
