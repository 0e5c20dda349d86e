package dev.counterpoint.summarizer;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;

/// How this service runs.
@ConfigMapping(prefix = "summarizer")
public interface SummarizerConfig {
    /// Addresses of Kafka brokers.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// Folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// The replicas of one group share the partitions of `frames`.
    @WithDefault("summarizer")
    String group();

    /// How often this service says that it lives, and how far behind it is.
    @WithDefault("500ms")
    Duration beatInterval();

    /// How often this service looks after what does not move: it commits how far it has read, appends again what got
    /// lost, and forgets responses whose time is over.
    @WithDefault("1s")
    Duration tidyInterval();

    /// Responses followed at once. One more gets no summary; its owner gives it up.
    @WithDefault("10000")
    @Min(1)
    int followedMax();
}
