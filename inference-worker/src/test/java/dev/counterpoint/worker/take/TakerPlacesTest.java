package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.worker.take.TakerPlaces.Taker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("f9: 200 workers of one model fit into a group of a broker with the usual settings")
class TakerPlacesTest {
    private static final int GROUP_MAX = 200;
    private static final int TAKERS = 4;

    @Test
    void howeverManyComeTheGroupIsNotFull() {
        // Given
        var members = new ArrayList<String>();
        for (int worker = 1; worker <= GROUP_MAX; worker++) {
            // When one more worker comes, and then all look
            members.add(Taker.FIRST.clientId());
            assertThat(members).hasSizeLessThanOrEqualTo(GROUP_MAX);
            int further = TakerPlaces.free(members, TAKERS) ? worker * (TAKERS - 1) : 0;
            members.removeIf(Taker.FURTHER.clientId()::equals);
            members.addAll(Collections.nCopies(further, Taker.FURTHER.clientId()));
            // Then
            assertThat(members).hasSizeLessThanOrEqualTo(GROUP_MAX);
        }
    }

    @Test
    void aFewWorkersHaveAllTheirConsumers() {
        assertThat(TakerPlaces.free(List.of(), TAKERS)).isTrue();
        assertThat(TakerPlaces.free(Collections.nCopies(30, Taker.FIRST.clientId()), TAKERS))
                .isTrue();
        assertThat(TakerPlaces.free(Collections.nCopies(40, Taker.FIRST.clientId()), TAKERS))
                .isFalse();
    }

    @Test
    void whatTheyDecideDoesNotDependOnWhatTheyHave() {
        // Given
        var workers = Collections.nCopies(37, Taker.FIRST.clientId());
        var withAll = new ArrayList<>(workers);
        withAll.addAll(Collections.nCopies(37 * (TAKERS - 1), Taker.FURTHER.clientId()));
        // Then
        assertThat(TakerPlaces.free(workers, TAKERS)).isEqualTo(TakerPlaces.free(withAll, TAKERS));
    }

    @Test
    void workersOfAnEarlierVersionCountAsTheyAre() {
        assertThat(TakerPlaces.free(Collections.nCopies(150, "consumer-1"), TAKERS))
                .isTrue();
        assertThat(TakerPlaces.free(Collections.nCopies(151, "consumer-1"), TAKERS))
                .isFalse();
    }
}
