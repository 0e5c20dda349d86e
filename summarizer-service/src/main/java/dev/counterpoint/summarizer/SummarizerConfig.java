package dev.counterpoint.summarizer;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;

/// The settings of a summarizer.
@ConfigMapping(prefix = "summarizer")
public interface SummarizerConfig {
    /// The addresses of Kafka brokers, `host:port`, separated by commas.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// The folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// The name of the Kafka consumer group whose members share the partitions of `frames`.
    @WithDefault("summarizer")
    String group();

    /// The pause between two heartbeats, which also say how far behind this service is; a duration above 0.
    @WithDefault("500ms")
    Duration beatInterval();

    /// The pause, a duration, between two looks at responses that do not move: the service commits how far it has
    /// read, appends lost frames again, and forgets responses whose deadline has passed.
    @WithDefault("1s")
    Duration tidyInterval();

    /// The number of responses followed at once, at least 1; one more gets no summary, and its owner gives the
    /// summary up.
    @WithDefault("10000")
    @Min(1)
    int followedMax();
}
