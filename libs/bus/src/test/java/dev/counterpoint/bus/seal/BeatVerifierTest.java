package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.ProvenMessage;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BeatVerifierTest {
    private static final long NOW = 1_795_168_800_000L;

    private final BeatVerifier verifier = new BeatVerifier(TestKeys.of(ServiceRole.GATEWAY));
    private final BeatSigner worker = new BeatSigner("worker-1", TestKeys.of(ServiceRole.WORKER));

    @Test
    void beatsOfAnIncarnationAreHeardInTheirOrder() {
        assertThat(heard(worker.prove(beat("model")))).isTrue();
        assertThat(heard(worker.prove(beat("model")))).isTrue();
        assertThat(heard(worker.proveFarewell(beat("model")))).isTrue();
    }

    @Test
    void h4ACopyOfAnOlderBeatIsNoNews() {
        // Given
        var first = worker.prove(beat("model"));
        var second = worker.prove(beat("model"));
        // Then
        assertThat(heard(second)).isTrue();
        assertThat(heard(second)).isFalse();
        assertThat(heard(first)).isFalse();
    }

    @Test
    void h4ABeatOfLongAgoIsNoNewsToWhoeverStartsAgain() {
        var old = worker.prove(beat("model"));

        assertThat(verifier.verify(old, NOW + Duration.ofMinutes(61).toMillis()))
                .isEmpty();
    }

    @Test
    void h4EveryBitOfABeatIsUnderItsTag() {
        var proven = worker.prove(beat("model"));
        for (int bit = 0; bit < 8 * proven.length; bit++) {
            var flipped = proven.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(heard(flipped)).as("bit %d", bit).isFalse();
        }
        assertThat(heard(proven)).isTrue();
    }

    @Test
    void h4TheAnnouncementOfOneSenderServesNoOther() {
        // Given a worker that beats under the name of another
        assertThat(heard(worker.prove(beat("model")))).isTrue();
        var again = new BeatSigner("worker-1", TestKeys.of(ServiceRole.WORKER));
        var gateway = new BeatSigner("worker-1", TestKeys.of(ServiceRole.GATEWAY));
        var other = new BeatSigner("worker-2", TestKeys.of(ServiceRole.WORKER));
        // Then
        assertThat(heard(again.prove(beat("model")))).isFalse();
        assertThat(heard(gateway.prove(beat("model")))).isFalse();
        assertThat(heard(other.prove(beat("model")))).isFalse();
        assertThat(heard(beat("model").encode())).isFalse();
    }

    @Test
    void h4AModelHasBounds() {
        assertThat(heard(worker.prove(beat("m".repeat(257))))).isFalse();
        assertThat(heard(worker.prove(beat(Collections.nCopies(65, "ability")))))
                .isFalse();
        assertThat(heard(worker.prove(beat("m".repeat(256))))).isTrue();
    }

    @Test
    void summarizersHearWorkersAndNobodyElse() {
        // Given
        var summarizer = new BeatVerifier(TestKeys.of(ServiceRole.SUMMARIZER));
        var gateway = new BeatSigner("worker-2", TestKeys.of(ServiceRole.GATEWAY));
        var proven = worker.prove(beat("model"));
        // Then
        for (int bit = 0; bit < 8 * ProvenMessage.decode(proven).content().length; bit++) {
            var flipped = proven.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(summarizer.verify(flipped, NOW)).as("bit %d", bit).isEmpty();
        }
        assertThat(summarizer.verify(proven, NOW)).isPresent();
        assertThat(summarizer.verify(proven, NOW)).as("a copy").isEmpty();
        assertThat(summarizer.verify(gateway.prove(beat("model")), NOW)).isEmpty();
    }

    @Test
    void h4ASummarizerMakesNoBeatThatAGatewayBelieves() {
        // Given what a summarizer reads of a beat
        var inner = ProvenMessage.decode(worker.prove(beat("model"))).content();
        // Then it is no beat for a gateway
        assertThat(heard(inner)).isFalse();
        assertThat(heard(worker.prove(beat("model")))).isTrue();
    }

    private boolean heard(byte[] record) {
        return verifier.verify(record, NOW).isPresent();
    }

    private static Heartbeat beat(String model) {
        return new Heartbeat("worker-1", new Heartbeat.Model(model, "", 1_000, 1, 1, List.of()), NOW);
    }

    private static Heartbeat beat(List<String> abilities) {
        return new Heartbeat("worker-1", new Heartbeat.Model("model", "", 1_000, 1, 1, abilities), NOW);
    }
}
