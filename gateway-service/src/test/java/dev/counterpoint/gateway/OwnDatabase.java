package dev.counterpoint.gateway;

import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.testkit.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;

/// A gateway with a PostgreSQL server of its own, which its test may kill.
public final class OwnDatabase implements QuarkusTestResourceLifecycleManager {
    private final TestPostgres server = TestPostgres.start();

    @Override
    public Map<String, String> start() {
        var settings = new HashMap<>(GatewayDatabase.settings());
        settings.putAll(server.newDatabase(DatabaseRoles.GATEWAY).settings());
        return settings;
    }

    @Override
    public void inject(Object test) {
        if (test instanceof NeedsServer needs) {
            needs.accept(server);
        }
    }

    @Override
    public void stop() {
        server.close();
    }

    /// A test that wants the server itself.
    public interface NeedsServer {
        void accept(TestPostgres server);
    }
}
