package dev.counterpoint.gateway.log.replay;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the log for all replays of this gateway with one consumer and one thread, however many they are: what it
/// reads of a partition goes to every replay there that needs it. A replay whose reader is slow is passed over,
/// and read for again when there is room. Thread-safe.
@Singleton
public final class ReplayLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayLoop.class);
    private static final Duration POLL = Duration.ofMillis(10);

    private final Supplier<Consumer<String, byte[]>> consumers;
    private final Map<Integer, List<ReplayFeed>> feeds = new ConcurrentHashMap<>();
    /// Where the consumer stands. Confined to the loop.
    private final Map<Integer, Place> places = new HashMap<>();
    private @Nullable Consumer<String, byte[]> consumer;
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    @Inject
    public ReplayLoop(KafkaClients clients) {
        this(clients::replayReader);
    }

    public ReplayLoop(Supplier<Consumer<String, byte[]>> consumers) {
        this.consumers = consumers;
    }

    /// Reads for one more replay.
    ///
    /// @param from offset of the first record that may be the response's
    public synchronized ReplayFeed join(ResponseId id, long from) {
        var feed = new ReplayFeed(id, from);
        feeds.computeIfAbsent(feed.partition(), _ -> new CopyOnWriteArrayList<>())
                .add(feed);
        if (thread == null) {
            thread = Thread.ofPlatform().name("replay-frames").daemon().start(this::run);
        }
        notifyAll();
        return feed;
    }

    /// Reads for this replay no more.
    public synchronized void leave(ReplayFeed feed) {
        feed.close();
        feeds.computeIfPresent(feed.partition(), (_, there) -> {
            there.remove(feed);
            return there.isEmpty() ? null : there;
        });
    }

    private void run() {
        try {
            while (!closed) {
                turn();
            }
        } catch (InterruptedException e) {
            LOG.debug("replays are read no more");
        } finally {
            closeConsumer();
        }
    }

    private void turn() throws InterruptedException {
        var hungry = hungry();
        if (hungry.isEmpty()) {
            pause();
            return;
        }
        try {
            var reading = consumer == null ? consumers.get() : consumer;
            consumer = reading;
            read(reading, hungry);
        } catch (InterruptException e) {
            throw new InterruptedException("the gateway is shutting down");
        } catch (InvalidOffsetException e) {
            e.partitions().forEach(at -> lost(at.partition()));
        } catch (RuntimeException e) {
            failed(hungry, e);
        }
    }

    /// Waits for the first feed, or briefly when feeds are full.
    private synchronized void pause() throws InterruptedException {
        wait(feeds.isEmpty() ? 0 : POLL.toMillis());
    }

    private Map<Integer, List<ReplayFeed>> hungry() {
        var hungry = new HashMap<Integer, List<ReplayFeed>>();
        feeds.forEach((partition, there) -> {
            var some = there.stream().filter(ReplayFeed::hungry).toList();
            if (!some.isEmpty()) {
                hungry.put(partition, some);
            }
        });
        return hungry;
    }

    private void read(Consumer<String, byte[]> reading, Map<Integer, List<ReplayFeed>> hungry) {
        assign(reading, hungry.keySet());
        hungry.forEach((number, some) -> {
            var place = place(number);
            if (place.choose(some)) {
                reading.seek(partition(number), place.position());
            }
        });
        var records = reading.poll(POLL);
        hungry.forEach(
                (number, some) -> deliver(records, partition(number), some, reading.position(partition(number), POLL)));
    }

    private Place place(int partition) {
        return places.computeIfAbsent(partition, _ -> new Place());
    }

    private void assign(Consumer<String, byte[]> reading, Set<Integer> wanted) {
        if (!places.keySet().equals(wanted)) {
            places.keySet().retainAll(wanted);
            reading.assign(wanted.stream().map(ReplayLoop::partition).toList());
        }
    }

    private void deliver(ConsumerRecords<String, byte[]> records, TopicPartition at, List<ReplayFeed> some, long end) {
        var place = place(at.partition());
        long from = place.position();
        var read = records.records(at);
        var there = some.stream()
                .filter(feed -> from <= feed.next() && feed.next() <= end)
                .toList();
        var byKey = there.stream().collect(Collectors.groupingBy(ReplayFeed::key));
        var full = new HashSet<ReplayFeed>();
        for (var record : read) {
            for (var feed : byKey.getOrDefault(String.valueOf(Frame.responseOf(record)), List.of())) {
                if (!full.contains(feed) && !feed.offer(record)) {
                    full.add(feed);
                }
            }
        }
        long millis = read.isEmpty() ? 0 : read.getLast().timestamp();
        there.stream().filter(feed -> !full.contains(feed)).forEach(feed -> feed.passed(end, millis));
        place.readTo(end, there);
    }

    /// Retention has taken what was to be read next.
    private void lost(int partition) {
        var place = place(partition);
        for (var feed : feeds.getOrDefault(partition, List.of())) {
            if (feed.next() <= place.position()) {
                feed.fail(new Replays.GoneException());
            }
        }
        places.remove(partition);
    }

    private void failed(Map<Integer, List<ReplayFeed>> hungry, RuntimeException cause) {
        LOG.warn("replays fail cause={}", cause.getClass().getSimpleName());
        var all = new ArrayList<ReplayFeed>();
        hungry.values().forEach(all::addAll);
        all.forEach(feed -> feed.fail(new BackendUnavailableException("the message bus does not answer")));
        places.clear();
        closeConsumer();
    }

    private void closeConsumer() {
        var known = consumer;
        consumer = null;
        if (known != null) {
            try {
                known.close(CloseOptions.timeout(Duration.ZERO));
            } catch (KafkaException e) {
                LOG.debug("consumer of replays closed cause={}", e.getClass().getSimpleName());
            }
        }
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(Topic.FRAMES, number);
    }

    /// The position in a partition that replays are read from. One may have begun long ago and another be at the end:
    /// read from the oldest on, one stretch serves all; alternating with the feed that waited longest, so that none
    /// starves. Confined to the loop.
    private static final class Place {
        /// To read on costs less than to jump.
        private static final int READS_AT_A_PLACE = 4;

        private static final long NOWHERE = -1;

        private long position = NOWHERE;
        private @Nullable ReplayFeed chosen;
        private int readsLeft;
        private long turn;

        /// Chooses for whom to read next.
        ///
        /// @return whether the reader has to jump to [#position]
        boolean choose(List<ReplayFeed> hungry) {
            var next = chosen;
            if (next == null || readsLeft == 0 || !hungry.contains(next)) {
                turn++;
                readsLeft = READS_AT_A_PLACE;
                next = hungry.stream()
                        .min(
                                turn % 2 == 0
                                        ? Comparator.comparingLong(feed -> feed.servedAt)
                                        : Comparator.comparingLong(ReplayFeed::next))
                        .orElseThrow();
                chosen = next;
            }
            readsLeft--;
            long wanted = next.next();
            boolean jumps = wanted != position;
            position = wanted;
            return jumps;
        }

        /// Offset of the next record.
        long position() {
            return position;
        }

        /// All before this offset was read, for these.
        void readTo(long end, List<ReplayFeed> served) {
            if (end == position) {
                readsLeft = 0;
            }
            position = end;
            served.forEach(feed -> feed.servedAt = turn);
        }
    }

    @PreDestroy
    public void close() {
        closed = true;
        var running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
