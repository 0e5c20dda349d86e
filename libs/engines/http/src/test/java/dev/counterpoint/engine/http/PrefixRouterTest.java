package dev.counterpoint.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrefixRouterTest {
    private static final long[] NAMES = {11, 22, 33, 44, 55, 66, 77, 88};

    private final PrefixRouter router = new PrefixRouter(1_000, NAMES);

    private static int[] only(int server) {
        return IntStream.range(0, 4).map(i -> i == server ? 0 : -1).toArray();
    }

    private static PromptPrefix prompt(int... lengthsOfParts) {
        var tokens = IntStream.range(0, lengthsOfParts.length)
                .flatMap(part ->
                        IntStream.range(0, lengthsOfParts[part]).map(i -> part * 1_000 + lengthsOfParts[part] + i))
                .toArray();
        return PromptPrefix.of("tenant", tokens);
    }

    @Test
    void aTurnGoesWhereTheTurnBeforeItWent() {
        int first = router.choose(prompt(640, 256), new int[] {0, 0, 0, 0});

        assertThat(router.choose(prompt(640, 256, 384), new int[] {1, 1, 1, 1})).isEqualTo(first);
    }

    @Test
    void conversationsBehindOnePromptSpreadOverTheServersThatHaveIt() {
        // Given: one prompt of a tool in two servers
        int one = router.choose(prompt(640), only(0));
        int other = router.choose(prompt(640), only(2));
        // When
        var loads = new int[] {1, 1, 1, 1};
        loads[one] = 2;
        // Then
        assertThat(router.choose(prompt(640, 300), loads)).isEqualTo(other);
    }

    @Test
    void noServerGetsMuchMoreThanTheOthersHoweverWarmItIs() {
        int warm = router.choose(prompt(640), new int[4]);
        var loads = new int[4];
        Arrays.fill(loads, 100);
        loads[warm] = 126;

        assertThat(router.choose(prompt(640, 128), loads)).as("limit at 135").isEqualTo(warm);
        loads[warm] = 150;
        assertThat(router.choose(prompt(640, 256), loads)).isNotEqualTo(warm);
    }

    @Test
    void twoWorkersAgreeAboutAPromptThatNeitherHasSeen() {
        for (int length = 128; length < 3_000; length += 128) {
            var loads = new int[] {3, 1, 2, 3};
            assertThat(new PrefixRouter(10, NAMES).choose(prompt(length), loads))
                    .isEqualTo(new PrefixRouter(10, NAMES).choose(prompt(length), loads));
        }
    }

    @Test
    void promptsUnderAnotherSaltBeginLikeNoOther() {
        int[] tokens = IntStream.range(0, 256).toArray();

        assertThat(PromptPrefix.of("one", tokens).hashes())
                .doesNotContain(PromptPrefix.of("other", tokens).hashes());
    }

    @Test
    void aServerThatLostItsMemoryIsColdAgain() {
        int before = router.choose(prompt(640), new int[4]);
        int second = router.choose(
                prompt(640),
                IntStream.range(0, 4).map(i -> i == before ? -1 : 0).toArray());

        router.forget(before);

        var loads = new int[] {1, 1, 1, 1};
        loads[before] = 0;
        assertThat(router.choose(prompt(640, 128), loads)).isEqualTo(second);
    }

    @Test
    void remembersNoMoreThanItMay() {
        var random = new Random(1);
        for (int i = 0; i < 200; i++) {
            router.choose(
                    PromptPrefix.of("tenant", random.ints(20_000, 0, 200_000).toArray()), new int[8]);
        }

        assertThat(router.nodes()).isEqualTo(1_000);
    }

    @Test
    void hasNoneToGiveWhenNoneMayBeChosen() {
        assertThat(router.choose(prompt(640), new int[] {-1, -1})).isEqualTo(-1);
    }
}
