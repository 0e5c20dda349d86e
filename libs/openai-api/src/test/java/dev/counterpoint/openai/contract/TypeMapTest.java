package dev.counterpoint.openai.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.counterpoint.testkit.contract.Contract;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Sweeps the contract from its paths down. What has no type of ours yet is a line of `contract/known.txt`: one that is
/// not there fails, and so does one that is there though the type has come.
class TypeMapTest {
    private static final Optional<Contract> LOADED = Contract.load();

    @BeforeAll
    static void skipWithoutContract() {
        assumeTrue(LOADED.isPresent());
    }

    @Test
    void everyMemberOfEverySchemaHasAPlaceInOurTypes() {
        var map = new TypeMap(LOADED.orElseThrow(), Bodies.TYPES);

        var unknown = new TreeSet<>(map.gaps());
        Known.of("missing").forEach(unknown::remove);
        var gone = new TreeSet<>(Known.of("missing"));
        gone.removeAll(map.gaps());
        assertThat(unknown).as("what the contract has and we have not").isEmpty();
        assertThat(gone).as("what has come: take it off known.txt").isEmpty();
    }

    @Test
    void everySchemaThatAPathLeadsToIsOneOfOurTypes() {
        var contract = LOADED.orElseThrow();
        var map = new TypeMap(contract, Bodies.TYPES);

        var unmet = new TreeSet<>(contract.schemas());
        unmet.removeAll(map.types().keySet());
        map.incomplete().forEach(schema -> unmet.removeAll(contract.below(schema)));

        assertThat(unmet).isEmpty();
    }
}
