package dev.counterpoint.testkit;

import dev.counterpoint.infra.broker.BrokerAccess;
import java.util.Map;

/// A real Kafka broker for tests. [#shared] is for everybody and stays; [#start] is one's own, to be stopped,
/// killed and frozen. Topics of a shared broker need names of their own (a random suffix), since test classes
/// run side by side. Thread-safe.
public sealed interface TestKafka extends AutoCloseable
        permits ContainerKafka, EmbeddedKafka, KafkaCluster, SharedKafka {

    /// The broker of this JVM.
    static TestKafka shared() {
        return new SharedKafka(SharedServers.address("kafka", () -> start().bootstrapServers()));
    }

    /// A new broker with nothing in it.
    ///
    /// @throws IllegalStateException when it does not start, with the end of its log
    static TestKafka start() {
        return switch (TestInfra.current()) {
            case EMBEDDED -> EmbeddedKafka.startNew();
            case CONTAINERS -> ContainerKafka.startNew();
        };
    }

    /// `host:port` for `bootstrap.servers`; stays the same over [#stop], [#kill] and [#restart].
    String bootstrapServers();

    /// Settings with which a client is the administrator, who may do everything. Whoever has no such account and no
    /// access rule is refused, as in a deployment.
    static Map<String, String> adminLogin() {
        return BrokerAccess.administrator(TestBroker.ADMIN_PASSWORD);
    }

    /// Ends it in order (SIGTERM).
    void stop();

    /// Ends it at once (SIGKILL), as a power cut would.
    void kill();

    /// Starts it again with the same records, after [#stop] or [#kill].
    void restart();

    /// Freezes it (SIGSTOP): connections stay open and nothing is answered.
    void pause();

    /// Goes on after [#pause].
    void resume();

    /// Ends it for good; the shared one stays.
    @Override
    void close();
}
