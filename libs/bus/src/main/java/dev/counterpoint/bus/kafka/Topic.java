package dev.counterpoint.bus.kafka;

import dev.counterpoint.bus.wire.Numbered;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;

/// The topics of the suite and their limits. `libs/bus/README.md` says who writes and reads them.
///
/// @param name on the broker
/// @param partitions at creation; `frames` grows with the gateways
/// @param settings those that differ from the broker's defaults
public record Topic(String name, int partitions, Map<String, String> settings) {
    /// The largest record that any topic takes, in bytes; the gateway refuses larger requests by name.
    public static final int MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

    public static final String FRAMES = "frames";
    public static final String CONTROL = "control";
    public static final String MODELS = "models";
    public static final String AUDIT = "audit";
    /// Who was erased from the audit; kept for ever, one record for each erasure.
    public static final String ERASURES = "erasures";

    /// The audit log as it was published: checkpoints, each with the leaves since the one before; and
    /// [dev.counterpoint.bus.audit.Erase]; kept for ever.
    public static final String AUDIT_LOG = "audit-log";

    public static final String ACCESS_LOG = "access-log";

    /// Jobs that lost their worker before a token: [dev.counterpoint.bus.job.SuspectReport].
    public static final String SUSPECTS = "suspects";

    /// What became of drafts: [dev.counterpoint.bus.draft.DraftAnswer].
    public static final String DRAFT_ANSWERS = "draft-answers";
    private static final String JOBS = "jobs.";

    /// Copies of a record where there are as many brokers, and how many of them have it before it counts as taken:
    /// the loss of one broker costs nothing and stops nothing.
    static final int REPLICAS = 3;

    static final int IN_SYNC_MIN = 2;

    /// The broker's clock, and no writer's, says when a frame was appended: replays look for responses by time.
    static final String DATED_BY_BROKER = "LogAppendTime";

    /// The time that `frames` keeps a record, with the usual deadline and replay window.
    public static final Duration FRAMES_RETENTION = framesRetention(Duration.ofMinutes(10), Duration.ofHours(1));

    public static final int FRAMES_PER_GATEWAY = 16;

    private static final String FOR_EVER = "-1";
    private static final String MINUTE = "60000";
    private static final String FIVE_MINUTES = "300000";
    private static final String HOUR = "3600000";
    private static final String WEEK = "604800000";

    /// The time that `frames` has to keep a record: whoever begins to replay a response at the end of the replay
    /// window gets to its end, and one that runs to its deadline still has its frame 0.
    ///
    /// @param deadline time that a response may take
    /// @param replayWindow time after its acceptance within which a response can be streamed again
    public static Duration framesRetention(Duration deadline, Duration replayWindow) {
        return deadline.plus(replayWindow).plus(Duration.ofMinutes(20));
    }

    Topic with(String setting, String value) {
        var more = new HashMap<>(settings);
        more.put(setting, value);
        return new Topic(name, partitions, more);
    }

    /// The topics that there are once, whatever the models.
    public static Stream<Topic> shared(int framePartitions) {
        return Stream.of(
                frames(framePartitions),
                control(),
                models(),
                audit(),
                keptForEver(ERASURES),
                keptForEver(AUDIT_LOG),
                accessLog(),
                suspects(),
                draftAnswers());
    }

    static Topic frames(int partitions) {
        return new Topic(
                FRAMES,
                partitions,
                Map.of(
                        TopicConfig.RETENTION_MS_CONFIG,
                        Long.toString(FRAMES_RETENTION.toMillis()),
                        TopicConfig.SEGMENT_MS_CONFIG,
                        "600000",
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                        DATED_BY_BROKER,
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(MESSAGE_BYTES_MAX)));
    }

    static Topic control() {
        return new Topic(CONTROL, 1, Map.of(TopicConfig.RETENTION_MS_CONFIG, HOUR));
    }

    static Topic models() {
        return new Topic(
                MODELS,
                1,
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_COMPACT + ",delete",
                        TopicConfig.RETENTION_MS_CONFIG,
                        HOUR,
                        TopicConfig.SEGMENT_MS_CONFIG,
                        MINUTE));
    }

    static Topic audit() {
        return new Topic(
                AUDIT,
                12,
                Map.of(
                        TopicConfig.RETENTION_MS_CONFIG,
                        WEEK,
                        // The audit service deletes what it has stored; a segment's file goes some time later.
                        TopicConfig.SEGMENT_MS_CONFIG,
                        "600000",
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(MESSAGE_BYTES_MAX)));
    }

    /// Not compacted: a record without a value takes none away.
    private static Topic keptForEver(String name) {
        return new Topic(
                name,
                1,
                Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG,
                        FOR_EVER,
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        FOR_EVER));
    }

    static Topic accessLog() {
        return new Topic(ACCESS_LOG, 3, Map.of(TopicConfig.RETENTION_MS_CONFIG, WEEK));
    }

    static Topic suspects() {
        return new Topic(SUSPECTS, 1, Map.of(TopicConfig.RETENTION_MS_CONFIG, WEEK));
    }

    /// Whoever waits for a draft waits for seconds, so nothing of it is kept for long, whatever its writer's
    /// clock says.
    static Topic draftAnswers() {
        return new Topic(
                DRAFT_ANSWERS,
                1,
                Map.of(
                        TopicConfig.RETENTION_MS_CONFIG,
                        FIVE_MINUTES,
                        TopicConfig.SEGMENT_MS_CONFIG,
                        MINUTE,
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                        DATED_BY_BROKER));
    }

    /// The inboxes of a model's workers: each partition belongs to one worker, and the sender of a record chooses the
    /// worker.
    static Topic inbox(String model, int partitions) {
        return new Topic(inboxName(model), partitions, Map.of(TopicConfig.RETENTION_MS_CONFIG, HOUR));
    }

    /// The name of the topic of a model's inboxes.
    ///
    /// @throws IllegalArgumentException when the model's name cannot be part of a topic's name
    public static String inboxName(String model) {
        return JOBS + checkedModel(model).orElseThrow(() -> new IllegalArgumentException("no valid model name"));
    }

    /// `model` as part of a topic's name: `/` becomes `_`. Empty when it has any other character that Kafka
    /// refuses, is empty, or is longer than 128 characters.
    public static Optional<String> checkedModel(String model) {
        return model.matches("[A-Za-z0-9._/-]{1,128}") ? Optional.of(model.replace('/', '_')) : Optional.empty();
    }

    /// The priorities of jobs, most urgent first. Numbers are on the wire and never change.
    public enum Band implements Numbered {
        HIGH(1),
        NORMAL(0),
        LOW(2);

        private final int number;

        Band(int number) {
            this.number = number;
        }

        @Override
        public int number() {
            return number;
        }
    }
}
