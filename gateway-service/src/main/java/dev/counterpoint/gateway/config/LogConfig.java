package dev.counterpoint.gateway.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;

/// The settings by which this gateway follows and owns responses.
@ConfigMapping(prefix = "gateway.stream")
public interface LogConfig {
    /// The name of this replica in the table of partitions. After a restart under the same name the replica gets its
    /// partitions back at once.
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

    /// Time without a heartbeat of a partition's owner after which another gateway takes the partition.
    @WithDefault("5s")
    Duration ownerLapse();

    /// Outputs that wait for one slow reader before it is cut off. Two log probabilities count as one.
    @WithDefault("4096")
    @Min(16)
    int mailboxCapacity();

    /// Time after acceptance within which a response can be streamed again. The bus must keep frames for this time,
    /// `gateway.stream.deadline` and 20 minutes together; until then the gateway serves nobody.
    @WithDefault("1h")
    Duration replayWindow();

    /// Responses that this gateway streams again at the same time. Each holds up to 128 KiB of its log.
    @WithDefault("512")
    @Min(1)
    int replayReaders();

    /// Interval of this gateway's heartbeats, in which it counts the silence of others.
    @WithDefault("500ms")
    Duration beatInterval();

    /// Heartbeats of this gateway after which a worker without a heartbeat is dead.
    @WithDefault("4")
    @Min(2)
    int deadAfterBeats();

    /// Heartbeats of this gateway without progress after which the engine of a response counts as hung.
    @WithDefault("20")
    @Min(4)
    int hungAfterBeats();

    /// Heartbeats of this gateway after which a job without a fence is queued again, while a worker has
    /// a free slot.
    @WithDefault("20")
    @Min(4)
    int requeueAfterBeats();

    /// Heartbeats of this gateway for which an answer waits for the summary of the reasoning before it.
    @WithDefault("4")
    @Min(1)
    int summaryPatienceBeats();

    /// Attempts after which a response fails.
    @WithDefault("4")
    @Min(1)
    int attemptsMax();

    /// Time that a response may take from its acceptance. The bus must keep frames longer:
    /// see `gateway.stream.replay-window`.
    @WithDefault("10m")
    Duration deadline();
}
