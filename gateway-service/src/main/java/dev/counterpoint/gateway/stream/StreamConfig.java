package dev.counterpoint.gateway.stream;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;

/// Settings for following and owning responses.
@ConfigMapping(prefix = "gateway.stream")
public interface StreamConfig {
    /// Names this replica in the table of partitions. The same after a restart, so that it takes up at once what it
    /// had.
    @WithDefault("${HOSTNAME:localhost}:${quarkus.http.port}")
    String id();

    /// Addresses of Kafka brokers.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// Folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// Partitions of `frames` that this gateway owns.
    @WithDefault("16")
    @Min(1)
    int partitions();

    /// A partition's owner may be unheard of for so long before another gateway takes it.
    @WithDefault("5s")
    Duration ownerLapse();

    /// Outputs held for one slow reader before it is treated as gone.
    @WithDefault("4096")
    @Min(16)
    int mailboxCapacity();

    /// A response can be streamed again for so long after its acceptance; at most for as long as the bus keeps what
    /// happened to it, 90 minutes.
    @WithDefault("1h")
    Duration replayWindow();

    /// Responses that this gateway streams again at once. Each holds one to two megabytes, and a connection to the
    /// bus.
    @WithDefault("32")
    @Min(1)
    int replayReaders();

    /// The pace of this gateway's beats. Silence of others is counted in these.
    @WithDefault("500ms")
    Duration beatInterval();

    /// Beats of ours without one of a worker after which it is dead.
    @WithDefault("4")
    @Min(2)
    int deadAfterBeats();

    /// Beats of ours without progress of a response after which its engine hangs.
    @WithDefault("20")
    @Min(4)
    int hungAfterBeats();

    /// Beats of ours without a fence after which a job is queued again, while a worker has a free slot.
    @WithDefault("20")
    @Min(4)
    int requeueAfterBeats();

    /// Beats of ours that an answer waits for the summary of the reasoning before it.
    @WithDefault("4")
    @Min(1)
    int summaryPatienceBeats();

    /// Attempts before a response fails.
    @WithDefault("4")
    @Min(1)
    int attemptsMax();

    /// The longest that a response may take from its acceptance.
    @WithDefault("10m")
    Duration deadline();
}
