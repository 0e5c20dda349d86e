package dev.counterpoint.validator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.counterpoint.testkit.contract.ContractValidator;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class EventGrammarSweepTest {
    private static final int STREAMS = 100;
    /// Of the contract of November 2026.
    private static final String NEWER = "response.compaction.compacting";

    @Test
    void everyEventOfTheContractHasAPlaceInTheGrammar() {
        var contract = ContractValidator.load();
        assumeTrue(contract.isPresent());

        assertThat(EventTransition.types())
                .hasSize(59)
                .filteredOn(type -> !type.equals(NEWER))
                .containsExactlyInAnyOrderElementsOf(contract.get().eventTypes());
    }

    /// So what the property tests call legal is legal beyond the validator's own opinion.
    @Test
    void theLegalStreamsOfOurTestsKeepTheContract() {
        var contract = ContractValidator.load();
        assumeTrue(contract.isPresent());
        for (long seed = 0; seed < STREAMS; seed++) {
            for (var event : RandomStream.of(seed)) {
                if (event.path("type").asText().equals(NEWER)) {
                    continue;
                }
                assertThat(contract.get().eventViolations(event))
                        .as("seed %d: %s", seed, event)
                        .isEmpty();
            }
        }
    }

    @Test
    void everyEventWithinAnItemBelongsToAKindOfItemThatExists() {
        for (var type : EventTransition.types()) {
            if (EventTransition.of(type) instanceof EventTransition.Within within) {
                assertThat(RandomItem.KINDS).as(type).anyMatch(within::fits);
            }
        }
        assertThat(Arrays.stream(TextKind.values()).map(TextKind::itemKind)).isSubsetOf(RandomItem.KINDS);
    }
}
