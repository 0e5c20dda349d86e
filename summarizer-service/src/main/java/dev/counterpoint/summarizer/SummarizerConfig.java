package dev.counterpoint.summarizer;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

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

    /// The pause, above 0, between two heartbeats, which also report this service's lag.
    @WithDefault("500ms")
    Duration beatInterval();

    /// The pause between two rounds in which the service commits its positions, appends lost frames again, and forgets
    /// responses after their deadline.
    @WithDefault("1s")
    Duration tidyInterval();

    /// Responses followed at once, at least 1; one more gets no summary, and its owner gives the summary up.
    @WithDefault("10000")
    @Min(1)
    int followedMax();

    Described described();

    Written written();

    /// Who chooses the text of a described part. Cues of the reasoning choose where no model does in time.
    interface Described {
        /// Whether a model chooses each part if a worker writes drafts. Otherwise cues choose.
        @WithDefault("true")
        boolean byModel();

        /// Time, above 0, that a model has for a part from the moment when it is due.
        @WithDefault("1s")
        Duration partTimeout();

        /// The model that chooses; if not set, the one whose reasoning is summarised.
        Optional<String> model();
    }

    /// Parts of summaries in the words of a model, where a request asks for them; without them, and wherever such a
    /// part fails, a described part stands.
    interface Written {
        /// Whether models may write parts; all replicas should say the same.
        @WithDefault("false")
        boolean allowed();

        /// Time, above 0, that a part may take from the moment when it is due until it is judged.
        @WithDefault("8s")
        Duration partTimeout();

        /// Drafts that this replica waits for at once, at least 1; it asks for no more.
        @WithDefault("16")
        @Min(1)
        int inFlightMax();

        /// The model that writes; if not set, the one whose reasoning is summarised.
        Optional<String> model();

        /// The model that judges each part by the policy; if not set, no part is written.
        Optional<String> policyModel();

        /// The operator's policy, a text file; if not set, the built-in policy.
        Optional<Path> policyFile();
    }
}
