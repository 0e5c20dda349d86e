package dev.counterpoint.gateway.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hibernate.validator.constraints.time.DurationMax;

/// The settings of the gateway that an operator may want to change.
@ConfigMapping(prefix = "gateway")
public interface GatewayConfig {
    /// The secret that opens `/admin`, which is closed while this is not set.
    Optional<String> adminToken();

    /// Whether `/console` serves the pages of operators. They use `/admin` with the token that the operator enters.
    @WithDefault("false")
    boolean console();

    /// A file of keys that a launcher makes, in lines `tenant key scope,scope`.
    Optional<Path> bootstrapKeysFile();

    /// The folder of the prompts that callers may name, as `ID/VERSION.json`.
    Optional<Path> prompts();

    /// More names of served models, as `NAME=MODEL`. A name that ends in `*` is a prefix, as in `gpt-*=gpt-oss-120b`. A
    /// served model's own name comes first, then a whole name, then the longest prefix.
    Optional<List<String>> modelAliases();

    /// The reasoning that a request gets when it names no mode, as far as its key allows.
    @WithDefault("none")
    ReasoningMode defaultReasoning();

    /// Whether a model may write the summaries of tenants that opted in (`written_summaries`). Otherwise summaries
    /// are described.
    @WithDefault("false")
    boolean writtenSummaries();

    /// Pads the deltas of a stream unless its request decides (`stream_options.include_obfuscation`).
    @WithDefault("true")
    boolean obfuscation();

    /// The most answers that one request may ask for (`n`); OpenAI allows 128.
    @WithDefault("16")
    @Min(1)
    @Max(128)
    int choicesMax();

    /// The longest request body in bytes. A longer one gets a 413.
    @WithDefault("8388608")
    @Min(1024)
    @Max(256 * 1024 * 1024)
    long bodyBytesMax();

    /// Time that a request without a stream waits for the first token before it gets a 504.
    @WithDefault("120s")
    Duration firstTokenTimeout();

    /// The longest silence on an open stream; then the gateway sends a comment, which clients ignore.
    @WithDefault("15s")
    Duration keepAlive();

    /// Time after which a streaming client that does not read is cut off. The measure is a full buffer of about 64 KiB,
    /// so a slower client is cut off too.
    @WithDefault("15s")
    Duration writeTimeout();

    /// Time that a cancelling caller waits for the final state before it gets a 503; it may ask again.
    @WithDefault("10s")
    Duration cancelTimeout();

    /// Time for which a stored response can be read back.
    @WithDefault("30d")
    Duration storedResponseRetention();

    /// Tokens that a request without a limit of output tokens reserves of its caller's limit.
    @WithDefault("1024")
    @Min(0)
    int reservedOutputTokens();

    /// Time that a repeated request waits until the first one is accepted (else a 409) or a log reader is free (else
    /// a 503).
    @WithDefault("10s")
    Duration idempotencyPatience();

    /// Time for which a conversation and its items are kept after the last item was added.
    @WithDefault("365d")
    Duration conversationRetention();

    /// The delay of the audit service beyond which opted-in requests get a 503.
    @WithDefault("5m")
    Duration auditLagMax();

    /// Time that a request with raw reasoning waits for its access entry before it gets a 503.
    @WithDefault("5s")
    Duration accessLogTimeout();

    /// Time for which a gateway caches an API key; a revocation works everywhere after this time.
    @WithDefault("2s")
    Duration keyCacheTtl();

    /// Time for which a stopping gateway is not ready and still accepts requests, so that proxies and callers with open
    /// connections move to another gateway. 0 if nobody keeps connections and something else removes the gateway
    /// first.
    @WithDefault("0s")
    Duration drainDelay();

    /// Time that open requests have to end when the gateway stops, at least `gateway.stream.deadline`. A supervisor
    /// must wait longer before it kills the process.
    @WithDefault("10m")
    Duration drainTimeout();

    /// Interval in which one gateway deletes expired rows and ends abandoned ones.
    @WithDefault("10m")
    Duration housekeepingInterval();

    /// Time after its deadline (`gateway.stream.deadline`) at which a stored response without an ending is looked up on
    /// the bus; it fails if its request never arrived there. Must exceed the difference between the clocks of
    /// two gateways.
    @WithDefault("5m")
    Duration orphanGrace();

    /// Requests per minute of a tenant without limits of its own; empty for no limit.
    @WithDefault("600")
    @Min(1)
    OptionalInt newTenantRequestsPerMinute();

    /// Running responses of a tenant without limits of its own; empty for no limit.
    @WithDefault("128")
    @Min(1)
    OptionalInt newTenantConcurrentStreams();

    /// Whether models that accept images also get addresses of images. Their server fetches them from inside its
    /// network for any caller: restrict its hosts there (vLLM: `--allowed-media-domains`).
    @WithDefault("false")
    boolean imageAddresses();

    /// Blocks of non-public addresses that webhooks may reach, as in `10.20.0.0/16`. Every key with the scope
    /// `webhooks` can make gateways send there.
    Optional<List<String>> webhookAddresses();

    /// Whether URLs of webhooks may begin with `http://`.
    @WithDefault("false")
    boolean webhookPlainHttp();

    /// Time that one delivery may take, from the connection to the status of the answer.
    @WithDefault("10s")
    @DurationMax(minutes = 1)
    Duration webhookTimeout();
}
