package dev.counterpoint.bus.testkit;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.bus.kafka.KafkaClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/// Accounts on a broker of the tests. Many tests with keys of their own share one broker, so these passwords are
/// the same for all.
public final class TestAccounts {
    private TestAccounts() {}

    /// Creates accounts for the services whose keys are in `keys`.
    ///
    /// @param administrator the login of the broker's administrator
    public static void join(Path keys, String bootstrap, Map<String, String> administrator) {
        try {
            for (var role : ServiceRole.values()) {
                ProvisionBus.account(keys, role, "password-of-a-test-" + role.wireName());
            }
            ProvisionBus.apply(new KafkaClients(bootstrap, administrator), keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
