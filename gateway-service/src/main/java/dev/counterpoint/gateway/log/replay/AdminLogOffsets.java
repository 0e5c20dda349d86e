package dev.counterpoint.gateway.log.replay;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.gateway.log.follow.KafkaEndOffsets;
import dev.counterpoint.gateway.log.follow.LogOffsets;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/// [LogOffsets] of a real broker.
@Singleton
public class AdminLogOffsets implements LogOffsets {
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final KafkaClients clients;
    private @Nullable Admin admin;

    @Inject
    public AdminLogOffsets(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public long end(int partition) {
        return offsets().end(partition);
    }

    @Override
    public OptionalLong since(int partition, long millis) {
        return offsets().since(partition, millis);
    }

    /// The connection is made when somebody asks.
    private synchronized KafkaEndOffsets offsets() {
        var talking = admin == null ? clients.admin() : admin;
        admin = talking;
        return new KafkaEndOffsets(talking);
    }

    @PreDestroy
    public synchronized void close() {
        if (admin != null) {
            admin.close(CLOSE);
        }
    }
}
