package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetMembershipTest {
    private static final String SELF = "gateway-1";
    private static final int DEAD_AFTER = 4;
    private static final int MANY_SILENT_PATIENCE = 20;
    private static final int FORGOTTEN_AFTER = 7_200;

    private final FleetMembership fleet = new FleetMembership(SELF, DEAD_AFTER, Duration.ofMillis(500));

    @Test
    void aWorkerIsDeadAfterSoManyOfOurOwnBeats() {
        // Given
        heard(worker("anna", 4, 4));
        heard(worker("bert", 2, 2));
        // When
        passWith(DEAD_AFTER - 1, "bert");
        boolean early = fleet.dead("anna");
        passWith(1, "bert");
        // Then
        assertThat(early).isFalse();
        assertThat(fleet.dead("anna")).isTrue();
        assertThat(fleet.models()).extracting(Heartbeat.Model::slots).containsExactly(1);
    }

    @Test
    void nobodyIsDeadWhileNobodyCouldGoOn() {
        // Given
        pass(1);
        heard(worker("anna", 4, 4));
        // When
        pass(1_000);
        // Then
        assertThat(fleet.dead("anna")).isFalse();
        assertThat(fleet.models()).as("though it serves nothing").isEmpty();

        // When another one comes
        passWith(DEAD_AFTER - 1, "bert");
        boolean early = fleet.dead("anna");
        passWith(1, "bert");
        // Then
        assertThat(early).isFalse();
        assertThat(fleet.dead("anna")).isTrue();
        assertThat(fleet.dead("bert")).isFalse();
    }

    @Test
    void whoCouldGoOnServesTheSameModel() {
        // Given
        heard(worker("anna", 4, 4));
        // When
        passBesideAnotherModel(1_000);
        // Then
        assertThat(fleet.dead("anna")).isFalse();
    }

    @Test
    void whenTheBusComesBackWorkersMayComeBackOneAfterTheOther() {
        // Given
        pass(1);
        heard(worker("anna", 4, 4));
        heard(worker("bert", 4, 4));
        pass(100);
        // When
        passWith(DEAD_AFTER - 1, "anna");
        boolean late = fleet.dead("bert");
        heard(worker("bert", 4, 4));
        passWith(1, "anna");
        // Then
        assertThat(late).isFalse();
        assertThat(fleet.dead("bert")).isFalse();
    }

    @Test
    void whenMostWorkersFallSilentAtOnceItIsTheBusForAWhile() {
        // Given
        pass(1);
        var silent = List.of("anna", "bert", "cleo");
        silent.forEach(name -> heard(worker(name, 4, 4)));
        // When
        passWith(MANY_SILENT_PATIENCE - 1, "dora");
        var early = silent.stream().filter(fleet::dead).toList();
        passWith(1, "dora");
        // Then
        assertThat(early).isEmpty();
        assertThat(silent).allMatch(fleet::dead);
    }

    @Test
    void twoOfFourThatFallSilentAreDead() {
        // Given
        pass(1);
        heard(worker("anna", 4, 4));
        heard(worker("bert", 4, 4));
        // When
        passWith(DEAD_AFTER, "cleo", "dora");
        // Then
        assertThat(fleet.dead("anna")).isTrue();
        assertThat(fleet.dead("bert")).isTrue();
    }

    @Test
    void beatsFromBeforeOurFirstOneAreNoSignThatManyFellSilent() {
        // Given what the topic holds of the past
        for (int i = 0; i < 10; i++) {
            heard(worker("past-" + i, 1, 1));
        }
        // When
        passWith(DEAD_AFTER, "anna");
        // Then
        assertThat(fleet.dead("past-0")).isTrue();
    }

    @Test
    void theSilenceOfAnotherGatewayIsCountedUntilItLeaves() {
        // Given
        heard(new Heartbeat("gateway-2", null, 0));
        pass(7);
        assertThat(fleet.silence("gateway-2")).isEqualTo(7);
        assertThat(fleet.silence("gateway-3")).as("never heard of").isZero();
        // When
        fleet.left("gateway-2");
        // Then
        assertThat(fleet.silence("gateway-2")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aBeatBringsAWorkerBack() {
        // Given
        heard(worker("anna", 4, 4));
        pass(DEAD_AFTER);
        // When
        heard(worker("anna", 4, 4));
        // Then
        assertThat(fleet.dead("anna")).isFalse();
        assertThat(fleet.models()).hasSize(1);
    }

    @Test
    void aBusThatGivesUsNothingMakesNobodyLookDead() {
        // Given
        heard(worker("anna", 4, 4));
        // When
        for (int i = 0; i < 1_000; i++) {
            heard(worker("bert", 1, 1));
            heard(new Heartbeat("gateway-2", null, i));
        }
        // Then
        assertThat(fleet.dead("anna")).isFalse();
        assertThat(fleet.ownBeats()).isZero();
    }

    @Test
    void aReaderThatIsLateAndGetsEverythingAtOnceSeesNobodyDie() {
        // Given
        heard(worker("anna", 4, 4));

        for (int i = 0; i < 1_000; i++) {
            // When
            pass(1);
            heard(worker("anna", 4, 4));
            // Then
            assertThat(fleet.dead("anna")).as("beat %d", i).isFalse();
        }
    }

    @Test
    void aWorkerNobodyHeardOfGetsTheSameTimeFromWhenItIsFirstAskedFor() {
        // Given
        pass(100);
        heard(worker("bert", 1, 1));
        boolean first = fleet.dead("anna");
        // When
        pass(DEAD_AFTER - 1);
        boolean early = fleet.dead("anna");
        pass(1);
        // Then
        assertThat(first).isFalse();
        assertThat(early).isFalse();
        assertThat(fleet.dead("anna")).isTrue();
    }

    @Test
    void aWorkerThatLeavesIsDeadAtOnceAndItsModelStaysKnown() {
        // Given
        passBesideAnotherModel(DEAD_AFTER);
        heard(worker("anna", 4, 4));
        // When
        fleet.left("anna");
        // Then
        assertThat(fleet.dead("anna")).isTrue();
        assertThat(fleet.models()).extracting(Heartbeat.Model::name).containsExactly("another-model");
        assertThat(fleet.mayExist("gpt-oss-20b")).isTrue();
    }

    @Test
    void whoLeavesWithoutEverHavingBeenHeardChangesNothing() {
        fleet.left("anna");

        assertThat(fleet.models()).isEmpty();
        assertThat(fleet.dead("anna")).isFalse();
    }

    @Test
    void slotsOfLiveWorkersAddUpAndPromisesAreWhatAllOfThemKeep() {
        // Given
        heard(new Heartbeat("gone", model(9, 9, 1, "logprobs"), 0));
        pass(DEAD_AFTER);
        heard(new Heartbeat("anna", model(4, 1, 131_072, "logprobs", "masks"), 0));
        heard(new Heartbeat("bert", model(8, 2, 32_768, "masks"), 0));
        // When
        var models = fleet.models();
        // Then
        assertThat(models).containsExactly(model(12, 3, 32_768, "masks"));
    }

    @Test
    void modelsAreSortedByName() {
        // Given
        heard(new Heartbeat("anna", new Heartbeat.Model("b", "", 1, 1, 1, List.of()), 0));
        heard(new Heartbeat("bert", new Heartbeat.Model("a", "", 1, 1, 1, List.of()), 0));
        // Then
        assertThat(fleet.models()).extracting(Heartbeat.Model::name).containsExactly("a", "b");
        assertThat(fleet.model("a")).isPresent();
        assertThat(fleet.model("c")).isEmpty();
    }

    @Test
    void theLatestBeatOfAWorkerCounts() {
        // Given
        heard(worker("anna", 4, 4));
        // When
        heard(worker("anna", 4, 0));
        // Then
        assertThat(fleet.models()).extracting(Heartbeat.Model::freeSlots).containsExactly(0);
    }

    @Test
    void aModelMayExistForAnHourAfterItsLastWorkerWasHeard() {
        // Given
        heard(worker("anna", 4, 4));
        // When
        passBesideAnotherModel(FORGOTTEN_AFTER);
        boolean within = fleet.mayExist("gpt-oss-20b");
        passBesideAnotherModel(1);
        // Then
        assertThat(within).isTrue();
        assertThat(fleet.mayExist("gpt-oss-20b")).isFalse();
    }

    @Test
    void anyModelMayExistUntilThoseThatLiveWereHeard() {
        // Given a gateway that just came
        boolean atFirst = fleet.mayExist("gpt-oss-20b");
        // When
        passBesideAnotherModel(DEAD_AFTER - 1);
        boolean early = fleet.mayExist("gpt-oss-20b");
        passBesideAnotherModel(1);
        // Then
        assertThat(atFirst).isTrue();
        assertThat(early).isTrue();
        assertThat(fleet.mayExist("gpt-oss-20b")).isFalse();
    }

    @Test
    void anyModelMayExistWhileNoWorkerLives() {
        // Given
        passBesideAnotherModel(DEAD_AFTER);
        // When
        pass(DEAD_AFTER);
        // Then
        assertThat(fleet.mayExist("gpt-oss-20b")).isTrue();
    }

    @Test
    void otherGatewaysServeNothing() {
        heard(new Heartbeat("gateway-2", null, 0));

        assertThat(fleet.models()).isEmpty();
    }

    @Test
    void gatewaysAreCountedWhileTheyBeat() {
        // Given
        heard(worker("anna", 4, 4));
        heard(new Heartbeat("summarizer-1", null, 0, ServiceRole.SUMMARIZER, 0));
        assertThat(fleet.dead("never heard of")).isFalse();
        heard(new Heartbeat("gateway-2", null, 0));
        heard(new Heartbeat("gateway-3", null, 0));
        int three = fleet.gateways();
        // When
        fleet.left("gateway-3");
        int two = fleet.gateways();
        pass(DEAD_AFTER);
        // Then
        assertThat(three).isEqualTo(3);
        assertThat(two).isEqualTo(2);
        assertThat(fleet.gateways()).isEqualTo(1);
    }

    @Test
    void slotsAreTakenAndFreedBetweenBeatsAndTheNextBeatKnowsBetter() {
        // Given
        heard(worker("anna", 2, 1));
        // When
        fleet.took("anna");
        fleet.took("anna");
        fleet.took("nobody");
        int none = freeSlots();
        for (int i = 0; i < 5; i++) {
            fleet.freed("anna");
        }
        int all = freeSlots();
        heard(worker("anna", 2, 1));
        // Then
        assertThat(none).isZero();
        assertThat(all).isEqualTo(2);
        assertThat(freeSlots()).isEqualTo(1);
    }

    private int freeSlots() {
        return fleet.model("gpt-oss-20b").orElseThrow().freeSlots();
    }

    @Test
    void aServiceOfARoleLivesWhileItBeats() {
        assertThat(fleet.lives(ServiceRole.SUMMARIZER)).isFalse();

        heard(new Heartbeat("summarizer-1", null, 0, ServiceRole.SUMMARIZER, 0));
        assertThat(fleet.lives(ServiceRole.SUMMARIZER)).isTrue();
        assertThat(fleet.lives(ServiceRole.AUDIT)).isFalse();
        assertThat(fleet.models()).isEmpty();

        for (int i = 0; i < DEAD_AFTER; i++) {
            heard(new Heartbeat(SELF, null, i));
        }
        assertThat(fleet.lives(ServiceRole.SUMMARIZER)).isFalse();
    }

    @Test
    void aRoleLagsByWhatItsBestServiceLastSaidAndHowLongAgoThatWas() {
        // Given
        heard(new Heartbeat("audit-1", null, 0, ServiceRole.AUDIT, 9_000));
        heard(new Heartbeat("audit-2", null, 0, ServiceRole.AUDIT, 1_000));
        assertThat(fleet.lag(ServiceRole.AUDIT)).isEqualTo(Duration.ofSeconds(1));
        // When
        heard(new Heartbeat(SELF, null, 0));
        heard(new Heartbeat(SELF, null, 1));
        // Then
        assertThat(fleet.lag(ServiceRole.AUDIT)).isEqualTo(Duration.ofSeconds(2));
        assertThat(fleet.lag(ServiceRole.SUMMARIZER)).isEqualTo(Duration.ofSeconds(1));
    }

    private static Heartbeat worker(String name, int slots, int free) {
        return new Heartbeat(name, model(slots, free, 131_072), 0);
    }

    private static Heartbeat.Model model(int slots, int free, int context, String... abilities) {
        return new Heartbeat.Model("gpt-oss-20b", "a model", context, slots, free, List.of(abilities));
    }

    private void heard(Heartbeat beat) {
        fleet.accept(beat);
    }

    private void passBesideAnotherModel(int beats) {
        for (int i = 0; i < beats; i++) {
            heard(new Heartbeat("other", new Heartbeat.Model("another-model", "", 1, 1, 1, List.of()), 0));
            pass(1);
        }
    }

    /// Lets so many of our own beats come back while some workers send theirs.
    private void passWith(int beats, String... alive) {
        for (int i = 0; i < beats; i++) {
            for (var name : alive) {
                heard(worker(name, 1, 1));
            }
            pass(1);
        }
    }

    /// Lets so many of our own beats come back.
    private void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            heard(new Heartbeat(SELF, null, i));
        }
    }
}
