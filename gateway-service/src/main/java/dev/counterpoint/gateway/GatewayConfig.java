package dev.counterpoint.gateway;

import dev.counterpoint.gateway.access.ReasoningMode;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The settings of the gateway that an operator may want to change.
@ConfigMapping(prefix = "gateway")
public interface GatewayConfig {
    /// Opens `/admin`, which is closed while this is not set.
    Optional<String> adminToken();

    /// Lines `tenant key scope,scope` that are in force from the start on; for keys that a launcher makes.
    Optional<Path> bootstrapKeysFile();

    /// The folder of the prompts that callers may name, as `ID/VERSION.json`; none while this is not set.
    Optional<Path> prompts();

    /// What reasoning a request gets that names no mode, within what its key allows.
    @WithDefault("none")
    ReasoningMode defaultReasoning();

    /// Whether the deltas of a stream are padded when its request does not say (`stream_options.include_obfuscation`);
    /// OpenAI does.
    @WithDefault("true")
    boolean obfuscation();

    /// The most answers that one request may ask for (`n`); each is a generation of its own. OpenAI takes 128.
    @WithDefault("16")
    @Min(1)
    @Max(128)
    int choicesMax();

    /// Longest request body; a longer one is refused with 413 before it is read.
    @WithDefault("8388608")
    @Min(1024)
    @Max(256 * 1024 * 1024)
    long bodyBytesMax();

    /// How long a request that does not stream waits for the model's first token before it gets a 504.
    @WithDefault("120s")
    Duration firstTokenTimeout();

    /// Longest silence on an open stream; then a comment is sent that clients ignore.
    @WithDefault("15s")
    Duration keepAlive();

    /// How long a streaming client may take nothing of what is written to it before it counts as gone. What counts is a
    /// full buffer of about 64 KiB, so one that reads less than that in this time is cut off too.
    @WithDefault("60s")
    Duration writeTimeout();

    /// How long the caller who cancels a response waits for its final state before it gets a 503; asking again is
    /// harmless.
    @WithDefault("10s")
    Duration cancelTimeout();

    /// How long a stored response can be read back.
    @WithDefault("30d")
    Duration storedResponseRetention();

    /// Tokens of output that are kept, of a limited caller's, for a request that does not say how many it wants at
    /// most.
    @WithDefault("1024")
    @Min(0)
    int reservedOutputTokens();

    /// How long a repeated request waits for the first one to be accepted, or for its turn to read the log, before it
    /// gets a 409 or a 503.
    @WithDefault("10s")
    Duration idempotencyPatience();

    /// How long a conversation and its items are kept after something was last added.
    @WithDefault("365d")
    Duration conversationRetention();

    /// How far the audit service may be behind before requests that are opted in get a 503.
    @WithDefault("5m")
    Duration auditLagMax();

    /// How long a request with raw reasoning waits for its entry in the access log before it gets a 503.
    @WithDefault("5s")
    Duration accessLogTimeout();

    /// How long a gateway goes by what it knows of an API key: a revocation takes at most this long to be
    /// felt.
    @WithDefault("2s")
    Duration keyCacheTtl();

    /// How long open requests may go on at a stop: as long as any may take (`gateway.stream.deadline`). Whoever
    /// stops this process must wait longer before killing it.
    @WithDefault("10m")
    Duration drainTimeout();

    /// How often rows that have expired are deleted, and rows that nobody will end are looked for.
    @WithDefault("10m")
    Duration housekeepingInterval();

    /// How long after its deadline (`gateway.stream.deadline`) a stored response may be without an ending
    /// before it is looked up on the bus, and ends as failed when its request never came there. More than the
    /// clocks of two gateways differ.
    @WithDefault("5m")
    Duration orphanGrace();
}
