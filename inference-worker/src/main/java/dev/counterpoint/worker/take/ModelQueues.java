package dev.counterpoint.worker.take;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.worker.draft.DraftConsumer;
import java.util.Arrays;
import java.util.List;

/// The topics and groups by which the workers of a model get jobs.
///
/// @param bands for gateways of the last version: a share group for each, so that what moves one is nothing to the
///     others
/// @param inbox the topic of which each partition is the inbox of one worker
record ModelQueues(List<JobConsumer.Queue> bands, String inbox) {
    /// Makes what is missing.
    ///
    /// @param workersMax partitions of the inboxes' topic
    static ModelQueues ensure(KafkaClients clients, String model, int workersMax) {
        try (var admin = clients.admin()) {
            var topics = new Topics(admin);
            topics.ensureShared(Topic.FRAMES_PER_GATEWAY);
            var bands = Arrays.stream(Topic.Band.values())
                    .map(band -> queue(topics, band, topics.ensureJobs(model, band)))
                    .toList();
            return new ModelQueues(bands, topics.ensureInbox(model, workersMax));
        }
    }

    static DraftConsumer.Queue drafts(KafkaClients clients, String model) {
        try (var admin = clients.admin()) {
            var topics = new Topics(admin);
            var topic = topics.ensureDrafts(model);
            var group = topic.replaceFirst("^drafts", "drafters");
            topics.ensureDraftGroup(group);
            return new DraftConsumer.Queue(clients, topic, group);
        }
    }

    private static JobConsumer.Queue queue(Topics topics, Topic.Band band, String topic) {
        var group = group(topic);
        topics.ensureShareGroup(group);
        return new JobConsumer.Queue(band, topic, group);
    }

    JobConsumer.Queue band(Topic.Band band) {
        return bands.get(band.ordinal());
    }

    String inboxGroup() {
        return group(inbox);
    }

    private static String group(String topic) {
        return topic.replaceFirst("^jobs", "workers");
    }
}
