package dev.counterpoint.audit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;

/// How this service runs.
@ConfigMapping(prefix = "audit")
public interface AuditConfig {
    /// Addresses of Kafka brokers.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// Folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();
}
