package dev.counterpoint.gateway.log.replay;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.ResponseStory;
import dev.counterpoint.gateway.log.follow.LogOffsets;
import dev.counterpoint.gateway.log.follow.ResponseOutputs;
import dev.counterpoint.gateway.log.follow.StoryAssembler;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/// [Replays] over the bus. Each holds some of its log, so their number is bounded; those of clients take no places of
/// the gateway's own work.
@ApplicationScoped
public class LogReplays implements Replays {
    /// Records are dated by the broker, whose clock may be so far behind that of the gateway which named the response.
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(30);
    /// Places for the gateway's own work: readers that fell behind, and rows that wait for nobody.
    private static final int OWN_MAX = 32;

    private final KeyRing keys;
    private final ReplayLoop loop;
    private final LogOffsets offsets;
    private final Duration window;
    private final Semaphore clients;
    private final Semaphore own = new Semaphore(OWN_MAX);
    private final InstantSource clock;

    @Inject
    public LogReplays(LogConfig config, ReplayLoop loop, LogOffsets offsets, KeyRing keys) {
        this(config, new Log(loop, offsets), keys, InstantSource.system());
    }

    /// Where replays read.
    public record Log(ReplayLoop loop, LogOffsets offsets) {}

    public LogReplays(LogConfig config, Log log, KeyRing keys, InstantSource clock) {
        this.keys = keys;
        this.loop = log.loop;
        this.offsets = log.offsets;
        this.window = config.replayWindow();
        this.clients = new Semaphore(config.replayReaders());
        this.clock = clock;
    }

    @Override
    public Replay open(ResponseId id, long atMostMillis) throws InterruptedException {
        requireWithinWindow(id);
        return read(id, atMostMillis, clients);
    }

    @Override
    public Replay complete(ResponseId id, long atMostMillis) throws InterruptedException {
        requireWithinWindow(id);
        return read(id, atMostMillis, own);
    }

    private void requireWithinWindow(ResponseId id) {
        if (Instant.ofEpochMilli(id.acceptedAtMillis()).plus(window).isBefore(clock.instant())) {
            throw new GoneException();
        }
    }

    @Override
    public boolean accepted(ResponseId id, long atMostMillis) throws InterruptedException {
        try (var _ = read(id, atMostMillis, own)) {
            return true;
        } catch (GoneException e) {
            return false;
        }
    }

    @Override
    public ResponseStory story(ResponseId id) throws InterruptedException {
        requireWithinWindow(id);
        if (!clients.tryAcquire()) {
            throw new BusyException();
        }
        try {
            long end = offsets.end(id.partition());
            var feed = loop.join(id, from(id));
            try {
                return story(id, feed, end);
            } finally {
                loop.leave(feed);
            }
        } catch (KafkaException e) {
            throw new BackendUnavailableException("the message bus does not answer");
        } finally {
            clients.release();
        }
    }

    private ResponseStory story(ResponseId id, ReplayFeed feed, long end) throws InterruptedException {
        long latest = id.acceptedAtMillis() + LogReplay.SOUGHT_WITHIN.toMillis();
        StoryAssembler story = null;
        var record = feed.takeBefore(end, latest);
        while (record != null && (story == null || !story.over())) {
            var frame = ReplayFeed.frame(record).orElse(null);
            if (frame != null && story == null) {
                var trust = LogTrust.of(frame, keys);
                if (trust != null) {
                    var accepted = Accepted.decode(frame.body()).withoutJob();
                    story = new StoryAssembler(accepted, new ResponseOutputs(accepted, trust));
                }
            }
            if (frame != null && story != null) {
                story.take(frame, record.timestamp());
            }
            record = feed.takeBefore(end, story == null ? latest : Long.MAX_VALUE);
        }
        if (story == null) {
            throw new GoneException();
        }
        return story.story();
    }

    private long from(ResponseId id) {
        return offsets.since(id.partition(), id.acceptedAtMillis() - CLOCK_SLACK.toMillis())
                .orElseThrow(GoneException::new);
    }

    private Replay read(ResponseId id, long atMostMillis, Semaphore places) throws InterruptedException {
        if (!places.tryAcquire(atMostMillis, TimeUnit.MILLISECONDS)) {
            throw new BusyException();
        }
        boolean joined = false;
        try {
            long end = offsets.end(id.partition());
            var feed = loop.join(id, from(id));
            joined = true; // from here on the replay gives its place back
            return new LogReplay(id, keys, feed, () -> {
                        loop.leave(feed);
                        places.release();
                    })
                    .open(end);
        } catch (KafkaException e) {
            throw new BackendUnavailableException("the message bus does not answer");
        } finally {
            if (!joined) {
                places.release();
            }
        }
    }
}
