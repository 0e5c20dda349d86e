package dev.counterpoint.worker.take;

import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.worker.draft.DraftConsumer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// All that takes jobs and drafts for a worker, each on a thread of its own.
final class JobSources {
    private final InboxConsumer inbox;
    private final List<JobConsumer> queues;
    private final TakerPlaces places;
    private final List<DraftConsumer> drafts;
    private final List<Thread> threads;

    JobSources(InboxConsumer inbox, List<JobConsumer> queues, TakerPlaces places, List<DraftConsumer> drafts) {
        this.inbox = inbox;
        this.queues = queues;
        this.places = places;
        this.drafts = drafts;
        var taker = Thread.ofPlatform().name("job-consumer-", 0).daemon();
        threads = Stream.of(List.of(inbox), queues, drafts)
                .flatMap(List<? extends Runnable>::stream)
                .map(taker::unstarted)
                .toList();
    }

    void start() {
        places.start();
        threads.forEach(Thread::start);
    }

    /// The partitions of the worker's inbox.
    List<InboxPartition> partitions() {
        return inbox.partitions();
    }

    /// True if the worker had no partition for so long.
    boolean lackInbox(Duration since) {
        return inbox.lacksPartition(since);
    }

    /// Takes nothing more.
    void close() {
        inbox.close();
        queues.forEach(JobConsumer::close);
        drafts.forEach(DraftConsumer::close);
        places.close();
    }

    /// Waits until nothing is being taken any more.
    void await(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        for (var thread : threads) {
            thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
    }
}
