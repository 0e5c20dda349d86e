package dev.counterpoint.gateway;

import dev.counterpoint.bus.testkit.TestAccounts;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A gateway with a broker and a database of its own.
public final class GatewayWithBus implements QuarkusTestResourceLifecycleManager {
    /// Few, so that tests can look at all of them.
    public static final int PARTITIONS = 4;

    private final TestKafka kafka = TestKafka.start();

    @Override
    public Map<String, String> start() {
        var settings = new HashMap<>(GatewayDatabase.settings());
        settings.putAll(TestPostgres.shared().newDatabase(DatabaseRoles.GATEWAY).settings());
        settings.put("kafka.bootstrap.servers", kafka.bootstrapServers());
        var keys = Path.of(settings.getOrDefault("gateway.stream.keys-dir", "keys"));
        TestAccounts.join(keys, kafka.bootstrapServers(), TestKafka.adminLogin());
        settings.put("gateway.stream.partitions", Integer.toString(PARTITIONS));
        settings.put("gateway.stream.requeue-after-beats", "4");
        return settings;
    }

    @Override
    public void stop() {
        kafka.close();
    }
}
