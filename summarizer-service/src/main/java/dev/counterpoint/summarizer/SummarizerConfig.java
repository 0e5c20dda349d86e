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

    Described described();

    Written written();

    /// Who chooses the text of a described part. Cues of the reasoning choose where no model does in time.
    interface Described {
        /// Whether a model chooses, as a draft a part, where a worker of it writes drafts; cues choose elsewhere.
        @WithDefault("true")
        boolean byModel();

        /// The time that a model has for a part, from the moment when it is due; a duration above 0.
        @WithDefault("1s")
        Duration partTimeout();

        /// The model that chooses; without this setting the one whose reasoning is summed up.
        Optional<String> model();
    }

    /// Parts of summaries in the words of a model, where a request asks for them; without them, and wherever such a
    /// part fails, a described part stands.
    interface Written {
        /// Whether models may write parts; all replicas should say the same.
        @WithDefault("false")
        boolean allowed();

        /// The time that a part may take, from the moment when it is due until it is judged; a duration above 0.
        @WithDefault("8s")
        Duration partTimeout();

        /// The number of drafts that this replica waits for at once, at least 1; one more is not asked for.
        @WithDefault("16")
        @Min(1)
        int inFlightMax();

        /// The model that writes; without this setting the one whose reasoning is summed up.
        Optional<String> model();

        /// The model that judges each part by the policy; without this setting no part is written.
        Optional<String> policyModel();

        /// The operator's policy, a text file; without this setting the built-in policy.
        Optional<Path> policyFile();
    }
}
