package dev.counterpoint.bus.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Kafka clients with the settings of the suite: acks=all and idempotence everywhere, bounded waits, no
/// compression.
///
/// @param bootstrap addresses of brokers, `host:port,…`
/// @param login how a client proves who it is, in Kafka's own settings; [dev.counterpoint.bus.access.BusAccount]
///     has them
public record KafkaClients(String bootstrap, Map<String, String> login) {
    /// Three times what a cluster with the usual settings takes to notice that the leader of a partition is gone.
    private static final int DELIVERY_TIMEOUT_MILLIS = 30_000;
    private static final int MAX_BLOCK_MILLIS = 1_000;
    private static final int PATIENT_MAX_BLOCK_MILLIS = 10_000;
    private static final int REPLAY_FETCH_WAIT_MILLIS = 10;
    private static final int REPLAY_FETCH_BYTES_MAX = 1024 * 1024;
    private static final int REPLAY_POLL_RECORDS_MAX = 500;
    private static final int GROUP_SESSION_MILLIS = 6_000;
    private static final int GROUP_POLL_INTERVAL_MAX_MILLIS = 60_000;
    private static final int GROUP_METADATA_AGE_MILLIS = 2_000;
    /// A partition that is new to a reader waits for its fetch of the others.
    private static final int FETCH_WAIT_MILLIS = 500;
    private static final int INBOX_FETCH_BYTES_MAX = 1024 * 1024;
    private static final int INBOX_METADATA_AGE_MILLIS = 10_000;

    public KafkaClients {
        login = Map.copyOf(login);
    }

    @Override
    public String toString() {
        return "KafkaClients[" + bootstrap + "]";
    }

    /// The bytes of a record; no bytes when it has no value, which is no message of ours.
    public static byte[] body(ConsumerRecord<?, byte[]> record) {
        return record.value() == null ? new byte[0] : record.value();
    }

    public Admin admin() {
        return Admin.create(common());
    }

    /// A producer that sends at once, for records that somebody waits for: jobs, fences, decisions. Its `send` gives
    /// up after a second when the broker does not say who leads a topic, for loops that serve others too.
    public KafkaProducer<String, byte[]> promptProducer() {
        return producer(MAX_BLOCK_MILLIS);
    }

    /// A producer whose `send` waits for a busy broker, for threads that serve nobody else.
    public KafkaProducer<String, byte[]> patientProducer() {
        return producer(PATIENT_MAX_BLOCK_MILLIS);
    }

    private KafkaProducer<String, byte[]> producer(int maxBlockMillis) {
        var settings = common();
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 65_536);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.MESSAGE_BYTES_MAX);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * Topic.MESSAGE_BYTES_MAX);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, maxBlockMillis);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MILLIS);
        return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    }

    /// A consumer without a group: its user assigns partitions and seeks. Never rebalances, commits nothing.
    public KafkaConsumer<String, byte[]> reader() {
        return reader(FETCH_WAIT_MILLIS);
    }

    /// A [#reader] that stays with its partitions. A fetch waits for news ten times as long, so that topics on which
    /// little happens cost little; who adds a partition to such a reader waits for that fetch.
    public KafkaConsumer<String, byte[]> tailReader() {
        return reader(5_000);
    }

    /// A [#reader] for stretches that are there already. A fetch that waits for more would hold up the next
    /// stretch, because a consumer has one fetch at a time under way to a broker.
    public KafkaConsumer<String, byte[]> historyReader() {
        return reader(1);
    }

    /// A [#reader] that jumps from place to place, some of them at the end of a partition: holds little at a time,
    /// and does not wait for more for long where nothing comes.
    public KafkaConsumer<String, byte[]> replayReader() {
        var settings = readerSettings(REPLAY_FETCH_WAIT_MILLIS);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, REPLAY_FETCH_BYTES_MAX);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, REPLAY_FETCH_BYTES_MAX);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, REPLAY_POLL_RECORDS_MAX);
        return consumer(settings);
    }

    /// A member of a group that shares a topic's partitions, new ones within two seconds of their making. It
    /// commits what its user says. One that dies is replaced within six seconds, one that leaves at once. A
    /// partition without a committed offset, or with one that retention overtook, is read from its beginning.
    public KafkaConsumer<String, byte[]> groupReader(String group) {
        return consumer(groupSettings(group, GROUP_METADATA_AGE_MILLIS));
    }

    /// A member of the group of a model's workers, which share the partitions of its topic. It brings tickets at
    /// once, commits what its user says, and begins a partition without a committed offset at its beginning. One
    /// that dies is replaced within six seconds, one that leaves at once; new partitions are found within ten.
    public KafkaConsumer<String, byte[]> inboxReader(String group) {
        var settings = groupSettings(group, INBOX_METADATA_AGE_MILLIS);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, INBOX_FETCH_BYTES_MAX);
        return consumer(settings);
    }

    private Map<String, Object> groupSettings(String group, int metadataAgeMillis) {
        var settings = readerSettings(FETCH_WAIT_MILLIS);
        settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, metadataAgeMillis);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, GROUP_SESSION_MILLIS);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, GROUP_SESSION_MILLIS / 4);
        settings.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, GROUP_POLL_INTERVAL_MAX_MILLIS);
        return settings;
    }

    private KafkaConsumer<String, byte[]> reader(int fetchWaitMillis) {
        return consumer(readerSettings(fetchWaitMillis));
    }

    private static KafkaConsumer<String, byte[]> consumer(Map<String, Object> settings) {
        return new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    }

    private Map<String, Object> readerSettings(int fetchWaitMillis) {
        var settings = common();
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, fetchWaitMillis);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 2 * Topic.MESSAGE_BYTES_MAX);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return settings;
    }

    private Map<String, Object> common() {
        var settings = new HashMap<String, Object>(login);
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 50);
        settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        settings.put("enable.metrics.push", false);
        return settings;
    }
}
