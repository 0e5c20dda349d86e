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

    /// A file of keys that a launcher makes, in lines `tenant key scope,scope`. They are in force from the start on.
    Optional<Path> bootstrapKeysFile();

    /// The folder of the prompts that callers may name, as `ID/VERSION.json`. Not set, there are none.
    Optional<Path> prompts();

    /// More names of served models, as `NAME=MODEL`. A name that ends in `*` stands for all that begin so, as in
    /// `gpt-*=gpt-oss-120b`. A served model's own name comes first, then a whole name, then the longest beginning.
    Optional<List<String>> modelAliases();

    /// The reasoning that a request gets when it names no mode, as far as its key allows.
    @WithDefault("none")
    ReasoningMode defaultReasoning();

    /// Whether a model may write the summaries of reasoning of tenants that opted in (`written_summaries`). Other
    /// summaries are described, and so are these where no worker writes them in time.
    @WithDefault("false")
    boolean writtenSummaries();

    /// Pads the deltas of a stream when its request does not say (`stream_options.include_obfuscation`). OpenAI pads
    /// them.
    @WithDefault("true")
    boolean obfuscation();

    /// The most answers that one request may ask for (`n`). Each answer is a generation of its own. OpenAI takes 128.
    @WithDefault("16")
    @Min(1)
    @Max(128)
    int choicesMax();

    /// Bytes of the longest request body. A longer one is refused with 413 before it is read.
    @WithDefault("8388608")
    @Min(1024)
    @Max(256 * 1024 * 1024)
    long bodyBytesMax();

    /// Time that a request without a stream waits for the model's first token before it gets a 504.
    @WithDefault("120s")
    Duration firstTokenTimeout();

    /// The longest silence on an open stream. After it a comment is sent, which clients ignore.
    @WithDefault("15s")
    Duration keepAlive();

    /// Time after which a streaming client that takes nothing counts as gone. The measure is a full buffer of about
    /// 64 KiB, so a client that reads less than that in this time is cut off too.
    @WithDefault("15s")
    Duration writeTimeout();

    /// Time that the caller who cancels a response waits for its final state before it gets a 503. Asking again is
    /// harmless.
    @WithDefault("10s")
    Duration cancelTimeout();

    /// Time for which a stored response can be read back.
    @WithDefault("30d")
    Duration storedResponseRetention();

    /// Tokens that a request reserves of its caller's limit when it does not say how many tokens of output it wants at
    /// most.
    @WithDefault("1024")
    @Min(0)
    int reservedOutputTokens();

    /// Time that a repeated request waits for the first one to be accepted (then it gets a 409), or for a free reader
    /// of the log (then it gets a 503).
    @WithDefault("10s")
    Duration idempotencyPatience();

    /// Time for which a conversation and its items are kept after the last item was added.
    @WithDefault("365d")
    Duration conversationRetention();

    /// The delay of the audit service beyond which requests of tenants with an audit opt-in get a 503.
    @WithDefault("5m")
    Duration auditLagMax();

    /// Time that a request with raw reasoning waits for its entry in the access log before it gets a 503.
    @WithDefault("5s")
    Duration accessLogTimeout();

    /// Time for which a gateway trusts what it read of an API key. A revocation works everywhere after this time.
    @WithDefault("2s")
    Duration keyCacheTtl();

    /// Time for which a gateway that stops says that it is not ready and still takes new requests, so that a proxy
    /// that asks for that sends them elsewhere, and callers that keep their connections open another one. 0 is
    /// right where nobody keeps a connection and something else takes the gateway out first.
    @WithDefault("0s")
    Duration drainDelay();

    /// Time that open requests have to end when the gateway stops: as long as any request may take
    /// (`gateway.stream.deadline`). Whoever stops this process must wait longer before killing it.
    @WithDefault("10m")
    Duration drainTimeout();

    /// Interval in which one of the gateways deletes expired rows and ends rows that nobody else will end.
    @WithDefault("10m")
    Duration housekeepingInterval();

    /// Time after its deadline (`gateway.stream.deadline`) at which a stored response without an ending is looked up
    /// on the bus. The response ends as failed when its request never came there. Must be more than the difference
    /// between the clocks of two gateways.
    @WithDefault("5m")
    Duration orphanGrace();

    /// The requests per minute of a tenant that is made without limits of its own; empty for no limit.
    @WithDefault("600")
    @Min(1)
    OptionalInt newTenantRequestsPerMinute();

    /// The responses at once of a tenant that is made without limits of its own; empty for no limit.
    @WithDefault("128")
    @Min(1)
    OptionalInt newTenantConcurrentStreams();

    /// Whether models that take images get addresses that clients name, too. Their server asks them from inside its
    /// network for whoever has a key: say there which hosts it may ask (vLLM: `--allowed-media-domains`).
    @WithDefault("false")
    boolean imageAddresses();

    /// Blocks of addresses that are not public and that webhooks may reach, as in `10.20.0.0/16`. A key with the scope
    /// `webhooks` is enough to make gateways send there.
    Optional<List<String>> webhookAddresses();

    /// Whether URLs of webhooks may begin with `http://`.
    @WithDefault("false")
    boolean webhookPlainHttp();

    /// Time that an attempt to deliver an event may take, from the connection to the status of the answer.
    @WithDefault("10s")
    @DurationMax(minutes = 1)
    Duration webhookTimeout();
}
