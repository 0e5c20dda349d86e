package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.RefusalListener.Reason;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.http.LoopFeed.Ear;
import dev.counterpoint.gateway.store.StoredStories;
import dev.counterpoint.openai.json.WireJson;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All responses whose logs this gateway follows: brings the outputs of their frames to their readers' mailboxes,
/// and has the owner's rules look at each of them. One response that cannot be followed disturbs no other. Confined
/// to the following loop, but for [#expect], [#unexpect] and [#awaited].
@Singleton
public final class FollowedResponses {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedResponses.class);
    /// A recovered response is read from the log faster than its reader may take it, and must not lose its place. The
    /// longest has a frame for each token of a full context.
    private static final int RECOVERED_CAPACITY = 1 << 18;

    private final int mailboxCapacity;
    private final KeyRing keys;
    private final OwnerRules rules;
    private final Admission admission;
    private final Recovery recovery;
    private final Consumer<StoredStories.Story> stories;
    private final Map<ResponseId, ReaderHandle> expected = new ConcurrentHashMap<>();
    private final Map<ResponseId, FollowedResponse> followed = new HashMap<>();
    /// Mailboxes with something new.
    private final Set<Mailbox> told = new HashSet<>();

    @Inject
    public FollowedResponses(
            LogConfig config,
            KeyRing keys,
            OwnerRules rules,
            Admission admission,
            Recovery recovery,
            StoredStories stories) {
        this(config.mailboxCapacity(), keys, rules, admission, recovery, stories::add);
    }

    /// Without a place for the stories of responses.
    public FollowedResponses(
            int mailboxCapacity, KeyRing keys, OwnerRules rules, Admission admission, Recovery recovery) {
        this(mailboxCapacity, keys, rules, admission, recovery, _ -> {});
    }

    /// @param stories keeps the story of each response that an owner here brought to its end; returns at once
    public FollowedResponses(
            int mailboxCapacity,
            KeyRing keys,
            OwnerRules rules,
            Admission admission,
            Recovery recovery,
            Consumer<StoredStories.Story> stories) {
        this.mailboxCapacity = mailboxCapacity;
        this.keys = keys;
        this.rules = rules;
        this.admission = admission;
        this.recovery = recovery;
        this.stories = stories;
    }

    /// The owner's rules. One look at one response each time.
    public interface OwnerRules {
        /// @param now beat of the partition's clock
        void apply(FollowedResponse response, long now);

        /// For a response on another owner's partition.
        void applyForReader(FollowedResponse response, long now);
    }

    /// Decides what becomes of a response that nobody here expected.
    @FunctionalInterface
    public interface Recovery {
        /// Called on the following loop. Must not block.
        void recover(FollowedResponse response);
    }

    /// Announces a response whose frame 0 is about to be appended.
    ReaderHandle expect(ResponseId id) {
        var announced = new ReaderHandle(new Mailbox(mailboxCapacity));
        expected.put(id, announced);
        return announced;
    }

    /// The announced response was not appended after all.
    void unexpect(ResponseId id) {
        expected.remove(id);
    }

    /// Announced responses whose frame 0 was not read yet.
    int awaited() {
        return expected.size();
    }

    /// How many announced responses were not read yet, by partition.
    Map<Integer, Long> expected() {
        return expected.keySet().stream().collect(Collectors.groupingBy(ResponseId::partition, Collectors.counting()));
    }

    /// Takes the next frame of a partition. A partition that comes back is read again in part.
    void take(Frame frame, long offset, FollowedPartition at) {
        if (frame.kind() == FrameKind.ACCEPTED && !followed.containsKey(frame.response())) {
            open(frame, offset, at);
        }
        var response = followed.get(frame.response());
        if (response != null && response.isNews(offset)) {
            boolean over = response.story().over();
            var outputs = response.accept(frame, at.beats(), at.millis());
            if (!over && at.owned() && response.story().over()) {
                keep(response);
            }
            // Before anybody hears of an end, so that who asks again right after it finds room.
            tellAdmission(response, frame.kind());
            outputs.forEach(output -> offer(output, response.handle.mailbox()));
        }
    }

    private void keep(FollowedResponse response) {
        var story = response.story().story();
        stories.accept(new StoredStories.Story(response.id.toString(), story.tenant(), () -> WireJson.write(story)));
    }

    private void offer(ModelOutput output, Mailbox mailbox) {
        mailbox.offer(output);
        told.add(mailbox);
    }

    /// Tells those event loops that write what was offered since the last time, each at once of all that is its.
    void tellLoops() {
        var ears = told.stream().map(Mailbox::ear).filter(Objects::nonNull).collect(Collectors.groupingBy(Ear::loop));
        told.clear();
        ears.forEach((loop, ofLoop) ->
                loop.execute(() -> ofLoop.forEach(ear -> ear.heard().run())));
    }

    /// Every log is lost: all readers hear of it, and nothing else can be done.
    void lose() {
        var end = new ModelOutput.Stopped(OwnerEnd.Reason.LOST_WITH_BUS);
        expected.values().forEach(handle -> offer(end, handle.mailbox()));
        followed.values().forEach(response -> offer(end, response.handle.mailbox()));
        tellLoops();
    }

    /// Counts a record that is no frame, or stands where its response's do not.
    void refuse() {
        keys.signatures().refused(Topic.FRAMES, Reason.CONTENT);
    }

    /// A response that nobody here expected is looked after by its partition's owner.
    private void open(Frame frame, long offset, FollowedPartition at) {
        if ((!at.owned() || at.isDone(frame.response())) && !expected.containsKey(frame.response())) {
            return;
        }
        var trust = LogTrust.of(frame, keys);
        if (trust == null) {
            return;
        }
        var accepted = Accepted.decode(frame.body()).withoutJob();
        var announced = expected.remove(frame.response());
        var reading = announced == null ? new ReaderHandle(recoveredMailbox(accepted)) : announced;
        var response = new FollowedResponse(trust, offset, accepted, reading);
        reading.followed(() -> response.quietUntil(at.position()));
        followed.put(frame.response(), response);
        if (announced == null) {
            recover(response);
        }
    }

    private Mailbox recoveredMailbox(Accepted accepted) {
        return new Mailbox(accepted.stored() ? RECOVERED_CAPACITY : mailboxCapacity);
    }

    private void recover(FollowedResponse response) {
        try {
            recovery.recover(response);
        } catch (RuntimeException e) {
            LOG.error("response is not taken up responseId={}", response.id, e);
            response.handle.abandon();
            response.handle.settle();
        }
    }

    private void tellAdmission(FollowedResponse response, FrameKind kind) {
        switch (kind) {
            case FENCE, END, OWNER_END -> {
                var worker = response.reader.worker();
                if (response.reader.ended()) {
                    admission.ended(response.id);
                } else if (response.reader.fenced() && worker != null) {
                    admission.fenced(response.id, response.accepted.tenant(), worker);
                }
            }
            case ACCEPTED, REISSUE, DELTA, SEALED_REASONING, PROGRESS, HANDOVER -> {}
            case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, STEER, UNKNOWN -> {}
        }
    }

    /// Acts where nothing moves, and forgets what is done.
    void oversee(Map<Integer, FollowedPartition> partitions) {
        followed.values().removeIf(response -> forgetDone(response, at(response, partitions)));
        for (var response : List.copyOf(followed.values())) {
            apply(response, at(response, partitions));
        }
    }

    private static FollowedPartition at(FollowedResponse response, Map<Integer, FollowedPartition> partitions) {
        return Objects.requireNonNull(partitions.get(response.id.partition()));
    }

    private boolean forgetDone(FollowedResponse response, FollowedPartition at) {
        boolean done = at.owned() ? response.done() : response.doneForReader();
        if (done) {
            admission.forget(response.id);
        }
        return done;
    }

    private void apply(FollowedResponse response, FollowedPartition at) {
        try {
            if (!at.owned()) {
                rules.applyForReader(response, at.beats());
            } else if (at.caughtUp()) {
                rules.apply(response, at.beats());
            }
        } catch (RuntimeException e) {
            // Taken again later, as every decision that gets lost.
            LOG.warn(
                    "decision failed responseId={} cause={}",
                    response.id,
                    e.getClass().getSimpleName());
        }
    }

    /// How many responses are not done, by partition.
    Map<Integer, Long> open() {
        return followed.keySet().stream().collect(Collectors.groupingBy(ResponseId::partition, Collectors.counting()));
    }

    /// Moves the offset from where a successor would have to read each partition back to its oldest response.
    void hold(Map<Integer, Long> resumeOffsets) {
        for (var response : followed.values()) {
            resumeOffsets.computeIfPresent(response.id.partition(), (_, offset) -> Math.min(offset, response.offset));
        }
    }
}
