package dev.counterpoint.gateway.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;

/// The settings by which this gateway follows and owns responses.
@ConfigMapping(prefix = "gateway.stream")
public interface LogConfig {
    /// The name of this replica in the table of partitions. With the same name after a restart, the replica
    /// takes its partitions up at once.
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

    /// Outputs held for one slow reader before it is treated as gone. Two log probabilities count as one
    /// more.
    @WithDefault("4096")
    @Min(16)
    int mailboxCapacity();

    /// Time after its acceptance within which a response can be streamed again. The bus has to keep frames for this
    /// time, the deadline (`gateway.stream.deadline`) and 20 minutes together: the gateway serves nobody before it
    /// does.
    @WithDefault("1h")
    Duration replayWindow();

    /// Responses that this gateway streams again for clients at the same time. Each holds up to 128 KiB of its log; one
    /// connection reads for all.
    @WithDefault("512")
    @Min(1)
    int replayReaders();

    /// Interval of this gateway's heartbeats. The silence of others is counted in these intervals.
    @WithDefault("500ms")
    Duration beatInterval();

    /// Heartbeats of this gateway after which a worker without a heartbeat is dead.
    @WithDefault("4")
    @Min(2)
    int deadAfterBeats();

    /// Heartbeats of this gateway after which the engine of a response without progress hangs.
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

    /// Time that a response may take from its acceptance. What the bus keeps has to be longer: see
    /// `gateway.stream.replay-window`.
    @WithDefault("10m")
    Duration deadline();
}
