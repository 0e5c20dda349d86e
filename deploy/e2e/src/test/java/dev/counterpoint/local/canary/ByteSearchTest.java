package dev.counterpoint.local.canary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
    @Test
    void findsNeedlesInsideAndAcrossEachOther() {
        var search = new ByteSearch(List.of("he".getBytes(UTF_8), "she".getBytes(UTF_8), "hers".getBytes(UTF_8)));

        assertThat(search.find("ushers".getBytes(UTF_8))).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(search.find("h-e-r-s".getBytes(UTF_8))).isEmpty();
    }

    @Test
    void findsWhatASlowSearchFindsHoweverTheBytesArrive() {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            var needles = List.of(bytes(random, 1), bytes(random, 3), bytes(random, 5));
            byte[] text = bytes(random, 400);
            var found = new ArrayList<Integer>();
            var scan = new ByteSearch(needles).scan(found::add);

            for (int at = 0; at < text.length; ) {
                int length = Math.min(1 + random.nextInt(9), text.length - at);
                scan.accept(text, at, length);
                at += length;
            }

            assertThat(found).hasSize(slowCount(needles, text));
        }
    }

    @Test
    void findsWhatLiesBesideLongRunsOfZeros() {
        byte[] text = new byte[300_000];
        text[131_071] = 1;
        text[131_073] = 1;
        var search = new ByteSearch(List.of(new byte[] {0, 1, 0, 1, 0}, new byte[] {1, 0}, new byte[] {0, 0, 1}));

        assertThat(search.find(text)).containsExactly(2, 1, 0, 1);
    }

    @Test
    void aCutSeparates() {
        var found = new ArrayList<Integer>();
        var scan = new ByteSearch(List.of("ab".getBytes(UTF_8))).scan(found::add);

        scan.accept("a".getBytes(UTF_8), 0, 1);
        scan.cut();
        scan.accept("b".getBytes(UTF_8), 0, 1);

        assertThat(found).isEmpty();
    }

    @Test
    void refusesEmptyNeedles() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ByteSearch(List.of(new byte[0])));
    }

    /// Of two letters only, so that needles overlap and repeat.
    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at++) {
            bytes[at] = (byte) ('a' + random.nextInt(2));
        }
        return bytes;
    }

    private static int slowCount(List<byte[]> needles, byte[] text) {
        int count = 0;
        for (byte[] needle : needles) {
            for (int at = 0; at + needle.length <= text.length; at++) {
                boolean same = Arrays.equals(text, at, at + needle.length, needle, 0, needle.length);
                count += same ? 1 : 0;
            }
        }
        return count;
    }
}
