package dev.counterpoint.local.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each difference between replicas, and between a stream and its repetition, is found.
class ReplicaCheckTest {
    private static List<Violation> compareWithSeen(List<String> again) {
        var found = new Violations("test");
        ReplicaCheck.compareWithSeen(MadeUp.heard(MadeUp.events()), again, found);
        return found.found();
    }

    @Test
    void findsNothingWhereAllIsTheSame() {
        var found = new Violations("test");
        ReplicaCheck.compare("same", List.of("a", "a"), found);

        assertThat(found.found()).isEmpty();
        assertThat(compareWithSeen(MadeUp.events())).isEmpty();
    }

    @Test
    void findsReplicasThatDiffer() {
        var found = new Violations("test");
        ReplicaCheck.compare("same", List.of("a", "b"), found);

        assertThat(found.found()).hasSize(1);
    }

    @Test
    void findsARepetitionThatIsShorterLongerOrNumberedOtherwise() {
        var shorter = MadeUp.events().subList(0, 3);
        var longer = new ArrayList<>(MadeUp.events());
        longer.add(HeardAnswer.DONE);
        var numbered = new ArrayList<>(MadeUp.events());
        numbered.set(MadeUp.FIRST_DELTA, MadeUp.delta(MadeUp.LAST_DELTA, "The answer "));

        assertThat(compareWithSeen(shorter)).hasSize(1);
        assertThat(compareWithSeen(longer)).hasSize(1);
        assertThat(compareWithSeen(numbered)).hasSize(1);
    }
}
