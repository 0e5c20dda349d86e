package dev.counterpoint.gateway.stream;

import static dev.counterpoint.gateway.stream.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.stream.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.stream.WorkerVoice.accepted;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.fleet.Beat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.models.LiveFleet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// One response under the eyes of its owner: frames and beats in, decisions out. The ground of the tests of its rules.
abstract class OwnedResponse {
    static final String SELF = "gateway-1";
    static final StreamConfig CONFIG = Settings.defaults();
    static final int DECISION_PATIENCE = 6;
    static final long OFFSET = 42;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    static Rings rings;

    final Appended bus = new Appended();
    final LiveFleet fleet = new LiveFleet(SELF, CONFIG.deadAfterBeats(), CONFIG.beatInterval());
    long nowMillis = 1_000;
    /// Has let every job through, so that none waits here.
    final Admission admission = TestAdmission.of(generous(), (_, _) -> {});
    final DeadLetters deadLetters = new DeadLetters();
    final OwnerRules rules = new OwnerRules(
            CONFIG, fleet, bus.decisions(), admission, deadLetters, () -> Instant.ofEpochMilli(nowMillis));
    Followed response = followed();
    final WorkerVoice anna = new WorkerVoice(1, 0xA);

    @BeforeAll
    static void generateKeys() throws IOException {
        rings = Rings.in(folder);
    }

    private static LiveFleet generous() {
        var fleet = new LiveFleet(SELF, CONFIG.deadAfterBeats(), CONFIG.beatInterval());
        fleet.accept(new Beat("idle", new Beat.Model(MODEL, "", 1_000, 100, 100, List.of()), 0));
        return fleet;
    }

    void summarizerLives() {
        fleet.accept(new Beat("summarizer-1", null, 0, Role.SUMMARIZER, 0));
    }

    static Followed followed() {
        return followed(accepted());
    }

    static Followed followed(Accepted accepted) {
        var followed = new Followed(RESPONSE, OFFSET, accepted, new Expected(new Mailbox(16)), rings.gateway());
        followed.accept(WorkerVoice.frame(accepted), 0);
        return followed;
    }

    void says(Frame... frames) {
        for (var frame : frames) {
            response.accept(frame, fleet.ownBeats());
        }
    }

    void look() {
        rules.apply(response, fleet.ownBeats());
    }

    /// Lets so many of our beats come back, and looks after each.
    void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            fleet.accept(new Beat(SELF, null, 0));
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
        fleet.accept(new Beat(worker, new Beat.Model(MODEL, "", 1_000, 2, freeSlots, List.of()), 0));
    }
}
