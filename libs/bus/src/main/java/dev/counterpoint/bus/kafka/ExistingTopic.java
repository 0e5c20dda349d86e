package dev.counterpoint.bus.kafka;

import dev.counterpoint.bus.kafka.UnfitTopicException.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.TopicConfig;

/// A topic as the cluster has it, which an earlier version or an administrator may have made.
///
/// @param replicas the fewest copies that a partition of it has
/// @param settings those of the topic, and the cluster's defaults for the others
record ExistingTopic(String name, int replicas, Map<String, String> settings) {
    private static final String REPAIR = "; `ProvisionBus apply` changes that";

    ExistingTopic {
        settings = Map.copyOf(settings);
    }

    /// The settings that are to be changed, so that the topic is fit.
    Map<String, String> repairs() {
        var changes = new HashMap<String, String>();
        if (takesWhatOneBrokerHas() || takesNothingWithoutAll()) {
            int wanted = Math.min(Topic.IN_SYNC_MIN, replicas - 1);
            changes.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(wanted));
        }
        if (name.equals(Topic.FRAMES) && !datedByBroker()) {
            changes.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, Topic.DATED_BY_BROKER);
        }
        return changes;
    }

    /// @param brokers of the cluster
    /// @param framesRetention how long `frames` has to keep a record at least
    /// @throws UnfitTopicException when the loss of a broker, a wrong clock or a long answer would cost answers
    void requireFit(int brokers, Duration framesRetention) {
        if (brokers >= Topic.REPLICAS && replicas < Topic.REPLICAS) {
            throw unfit(
                    Reason.COPIES,
                    "has %d copies on %d brokers, so the loss of one may cost answers; reassign its partitions to %d"
                            .formatted(replicas, brokers, Topic.REPLICAS));
        }
        if (takesWhatOneBrokerHas()) {
            throw unfit(
                    Reason.COPIES,
                    "takes records that only one broker has (min.insync.replicas=" + inSync() + ")" + REPAIR);
        }
        if (takesNothingWithoutAll()) {
            throw unfit(
                    Reason.COPIES,
                    "takes no record once a broker is away (min.insync.replicas=" + inSync() + ")" + REPAIR);
        }
        if (name.equals(Topic.FRAMES)) {
            requireFitForFrames(framesRetention);
        }
    }

    private void requireFitForFrames(Duration retention) {
        if (!datedByBroker()) {
            throw unfit(
                    Reason.TIMESTAMPS,
                    "has message.timestamp.type=%s, so a writer with a wrong clock breaks replays%s"
                            .formatted(settings.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG), REPAIR));
        }
        long kept = Long.parseLong(Objects.requireNonNullElse(settings.get(TopicConfig.RETENTION_MS_CONFIG), "-1"));
        if (kept >= 0 && kept < retention.toMillis()) {
            throw unfit(
                    Reason.RETENTION,
                    ("keeps records for %s, and gateway.stream.deadline and .replay-window need %s;"
                                    + " set its retention.ms to %d")
                            .formatted(Duration.ofMillis(kept), retention, retention.toMillis()));
        }
    }

    private boolean takesWhatOneBrokerHas() {
        return replicas >= Topic.REPLICAS && inSync() < Topic.IN_SYNC_MIN;
    }

    private boolean takesNothingWithoutAll() {
        return replicas > 1 && inSync() >= replicas;
    }

    private boolean datedByBroker() {
        return Topic.DATED_BY_BROKER.equals(settings.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG));
    }

    private int inSync() {
        return Integer.parseInt(Objects.requireNonNullElse(settings.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG), "1"));
    }

    private UnfitTopicException unfit(Reason reason, String why) {
        return new UnfitTopicException(reason, "topic " + name + " " + why);
    }
}
