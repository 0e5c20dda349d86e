package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.accepted;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.log.follow.Mailbox;
import dev.counterpoint.gateway.log.follow.ReaderHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One response under the eyes of its owner: frames and beats in, decisions out. The ground of the tests of its
/// rules.
abstract class OwnedResponse {
    static final String SELF = "gateway-1";
    static final LogConfig CONFIG = TestStreamSettings.defaults();
    static final int DECISION_PATIENCE = 6;
    static final long OFFSET = 42;

    static final Rings RINGS = Rings.ofTests();

    final Appended bus = new Appended();
    final FleetMembership fleet = new FleetMembership(SELF, CONFIG.deadAfterBeats(), CONFIG.beatInterval());
    long nowMillis = 1_000;
    /// Has let every job through, so that none waits here.
    final Admission admission = TestAdmission.of(generous(), (_, _) -> {});
    final RecoveryPolicy rules = new RecoveryPolicy(
            CONFIG, fleet, bus.decisions(), admission, this::reasoning, () -> Instant.ofEpochMilli(nowMillis));
    FollowedResponse response = followed();
    /// The log behind frame 0.
    private final List<Frame> said = new ArrayList<>();
    final WorkerVoice anna = new WorkerVoice(1, 0xA);

    private static FleetMembership generous() {
        var fleet = new FleetMembership(SELF, CONFIG.deadAfterBeats(), CONFIG.beatInterval());
        fleet.accept(TestAdmission.beat("idle", MODEL, 100, 100));
        return fleet;
    }

    void summarizerLives() {
        fleet.accept(new Heartbeat("summarizer-1", null, 0, ServiceRole.SUMMARIZER, 0));
    }

    static FollowedResponse followed() {
        return followed(accepted());
    }

    static FollowedResponse followed(Accepted accepted) {
        return followed(WorkerVoice.RESPONSE, accepted);
    }

    static FollowedResponse followed(ResponseId id, Accepted accepted) {
        var first = WorkerVoice.frame(id, accepted);
        var trust = Objects.requireNonNull(LogTrust.of(first, RINGS.gateway()));
        var followed = new FollowedResponse(trust, OFFSET, accepted, new ReaderHandle(new Mailbox(16)));
        followed.accept(first, 0);
        return followed;
    }

    void says(Frame... frames) {
        for (var frame : frames) {
            said.add(frame);
            response.accept(frame, fleet.ownBeats());
        }
    }

    private void reasoning(FollowedResponse of, Consumer<@Nullable List<byte[]>> told) {
        var first = WorkerVoice.frame(of.accepted);
        var found = new ReasoningFrames(Objects.requireNonNull(LogTrust.of(first, RINGS.gateway())));
        found.accept(first);
        said.forEach(found::accept);
        told.accept(found.frames());
    }

    void look() {
        rules.apply(response, fleet.ownBeats());
    }

    /// Lets so many of our beats come back, and looks after each.
    void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            fleet.accept(new Heartbeat(SELF, null, 0));
            look();
        }
    }

    void passWith(String worker, int beats) {
        for (int i = 0; i < beats; i++) {
            alive(worker, 0);
            pass(1);
        }
    }

    void passWithFreeSlots(int beats) {
        for (int i = 0; i < beats; i++) {
            alive("idle", 1);
            pass(1);
        }
    }

    void alive(String worker, int freeSlots) {
        fleet.accept(new Heartbeat(worker, new Heartbeat.Model(MODEL, "", 1_000, 2, freeSlots, List.of()), 0));
    }
}
