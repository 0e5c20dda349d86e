package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.TestSubmissions.submission;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.TENANT;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.Inboxes;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.http.CurrentSpan;
import dev.counterpoint.gateway.log.follow.EndOffsets;
import dev.counterpoint.gateway.log.follow.FollowedPartition;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import dev.counterpoint.gateway.log.follow.LogConsumer;
import dev.counterpoint.gateway.store.StoredStories;
import dev.counterpoint.servicekit.tracing.Tracing;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;

/// A gateway's half of the bus that hands submissions over, turned by hand.
abstract class HandTurnedGenerations {
    static final TopicPartition FRAMES = new TopicPartition(Topic.FRAMES, RESPONSE.partition());
    static final String GATEWAY = "gateway-1";

    static final Rings RINGS = Rings.ofTests();
    static final Predicate<String> EVERYTHING = _ -> true;

    final Appended bus = new Appended();
    static final Replays NO_REPLAYS = new Replays() {
        @Override
        public Replay open(ResponseId id, long atMostMillis) {
            throw new BusyException();
        }

        @Override
        public boolean accepted(ResponseId id, long atMostMillis) {
            throw new BusyException();
        }
    };
    final FleetMembership fleet = new FleetMembership("gateway-1", 4, Duration.ofMillis(500));
    final Inboxes inboxes = new Inboxes(fleet);
    final Quarantine quarantine = new Quarantine();
    Predicate<String> takes = EVERYTHING;
    final LogCommands decisions =
            new LogCommands(new Picky(bus, kind -> takes.test(kind)), RINGS.gateway(), inboxes, Runnable::run);
    final Admission admission = TestAdmission.of(inboxes, decisions);
    final MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
    final List<StoredStories.Story> stories = new ArrayList<>();
    final LogConsumer loop = loop();
    int frameFormat = 1;
    int read;
    long end;

    /// Starts over a bus that takes what `takes` says, by the kind of a frame or as `ticket`.
    Generations.Generation start(Submission submission, Predicate<String> takes) {
        this.takes = takes;
        if (fleet.inboxes(MODEL).isEmpty()) {
            inboxBeats();
        }
        admission.reserve(RESPONSE, TENANT);
        return generations().start(RESPONSE, submission);
    }

    BusGenerations generations() {
        return new BusGenerations(
                TestStreamSettings.defaults(),
                new HandTurnedOwner(GATEWAY, loop, frameFormat),
                decisions,
                RINGS.gateway(),
                admission,
                NO_REPLAYS,
                quarantine,
                new CurrentSpan(Tracing.OFF, new CurrentVertxRequest()));
    }

    void inboxBeats() {
        inboxBeats(4);
    }

    void inboxBeats(int free) {
        fleet.accept(TestAdmission.beat("worker-1", MODEL, 4, free));
        admission.release();
    }

    /// Brings what was appended back through the log.
    void readBack() {
        var frames = bus.frames();
        for (; read < frames.size(); read++) {
            append(frames.get(read));
        }
        turn();
    }

    void append(Frame frame) {
        consumer.addRecord(new ConsumerRecord<>(
                Topic.FRAMES, FRAMES.partition(), end++, frame.record().key(), frame.encode()));
    }

    void turn() {
        loop.follow();
        loop.oversee();
    }

    LogConsumer loop() {
        var rules = new RecoveryPolicy(
                TestStreamSettings.defaults(),
                fleet,
                bus.decisions(),
                admission,
                (_, told) -> told.accept(List.of()),
                () -> Instant.ofEpochMilli(1_000));
        EndOffsets ends = (partitions, answer) -> partitions.forEach(number -> answer.ends(number, end));
        var responses = new FollowedResponses(16, RINGS.gateway(), rules, admission, _ -> {}, stories::add);
        var taken = new LogConsumer(responses, ends, fleet::ownBeats, consumer);
        var stretch = new FollowedPartition.Stretch(0, 0);
        taken.claim(Map.of(FRAMES.partition(), stretch));
        taken.follow(FRAMES.partition(), stretch, stretch);
        taken.follow();
        return taken;
    }
}
