package dev.counterpoint.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OpeningTest {
    private static final byte[] SALT = new byte[16];

    @Test
    void aPartThatIsGoneLeavesTheRowProvableButNotWhole() {
        var whole = opening(new byte[] {1}, "{}");
        var content = new Opening(SALT, whole.row(), SALT, "{}", null);
        var personal = new Opening(SALT, whole.row(), null, null, whole.content());

        assertThat(whole.lacksPersonal() || whole.lacksContent()).isFalse();
        assertThat(content.lacksContent()).isTrue();
        assertThat(personal.lacksPersonal()).isTrue();
        assertThat(content.opens(whole.commitment())).isTrue();
        assertThat(personal.opens(whole.commitment())).isTrue();
        assertThat(new Opening(SALT, whole.row(), SALT, "{}", new byte[] {2}).opens(whole.commitment()))
                .isFalse();
    }

    @Test
    void readsTheLargestCiphertextThatTheBusCarries() {
        var large = opening(new byte[16 * 1024 * 1024], "{}");

        assertThat(Opening.read(large.encode()).orElseThrow().opens(large.commitment()))
                .isTrue();
    }

    private static Opening opening(byte[] content, String personal) {
        var hashes = Map.<String, Object>of(
                Opening.CONTENT,
                HexFormat.of().formatHex(Commitment.to(content)),
                Opening.PERSONAL,
                HexFormat.of().formatHex(Commitment.to(SALT, personal)));
        return new Opening(SALT, SortedJson.of(new TreeMap<>(hashes)), SALT, personal, content);
    }
}
