package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.infra.broker.BrokerAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The broker, with an account for each service once it is ready; of several the last that starts.
final class BrokerPart implements SuitePart {
    private final ProgramPart broker;
    private final StateFolder state;
    private final String bootstrapServers;

    /// @param bootstrapServers this one and those beside it
    BrokerPart(ProgramPart broker, StateFolder state, String bootstrapServers) {
        this.broker = broker;
        this.state = state;
        this.bootstrapServers = bootstrapServers;
    }

    @Override
    public String name() {
        return broker.name();
    }

    @Override
    public String address() {
        return broker.address();
    }

    @Override
    public Path log() {
        return broker.log();
    }

    @Override
    public ProcessHandle start() {
        return broker.start();
    }

    @Override
    public void awaitReady(Duration limit) {
        broker.awaitReady(limit);
        ProvisionBus.apply(administrator(state, bootstrapServers), state.sealingKeys());
    }

    /// Clients that may do everything, for this launcher alone.
    static KafkaClients administrator(StateFolder state, String bootstrap) {
        try {
            var password = Files.readString(state.brokerPassword(), UTF_8).strip();
            return new KafkaClients(bootstrap, BrokerAccess.administrator(password));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void stop() {
        broker.stop();
    }
}
