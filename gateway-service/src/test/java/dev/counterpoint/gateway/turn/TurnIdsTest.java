package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnIdsTest {
    private static final ResponseId ID = new ResponseId(1_790_000_000_123L, 5, 0x1234_5678_9ABC_DEFL, 42);

    @Test
    void anItemsIdLeadsToItsResponseAndPlace() {
        var ids = new TurnIds(ID);

        assertThat(TurnIds.parseItem(ids.reasoning(0))).contains(new TurnIds.Place(ID, 0));
        assertThat(TurnIds.parseItem(ids.message(17))).contains(new TurnIds.Place(ID, 17));
        assertThat(TurnIds.parseItem(ids.functionCall(0xFFFF))).contains(new TurnIds.Place(ID, 0xFFFF));
        assertThat(TurnIds.parseResponse(ids.response())).contains(ID);
    }

    @Test
    void anInputItemsIdLeadsToItsResponseAndIsNoOutputItems() {
        var id = new TurnIds(ID).input("msg", 0x8001);

        assertThat(id).hasSizeLessThanOrEqualTo(64);
        assertThat(TurnIds.parseInput(id)).contains(ID);
        assertThat(TurnIds.parseItem(id)).isEmpty();
        assertThat(TurnIds.parseInput(new TurnIds(ID).message(1))).isEmpty();
    }

    @Test
    void everyCallOfAResponseHasAnIdOfItsOwnThatAnyClientTakes() {
        var ids = new TurnIds(ID);

        assertThat(ids.call(1)).isNotEqualTo(ids.call(2)).hasSizeLessThanOrEqualTo(40);
        assertThat(ids.call(1)).isEqualTo(new TurnIds(ID).call(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "msg_", "msg_12", "rs_zz", "msg_0123456789abcdef0123456789abcdef0123456789abcdef00zz"})
    void whatIsNoIdOfOursIsNone(String text) {
        assertThat(TurnIds.parseItem(text)).isEmpty();
        assertThat(TurnIds.parseResponse(text)).isEmpty();
    }
}
