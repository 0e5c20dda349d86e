package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.servicekit.ProblemException;
import dev.counterpoint.testkit.TestConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyLimitTest {
    private static final int MIB = 1 << 20;

    private final BodyLimit limit =
            new BodyLimit(TestConfig.of(GatewayConfig.class, Map.of("gateway.body-bytes-max", "" + 8 * MIB)));

    @Test
    void aBodyThatExpandsTooMuchIsRefusedLongBeforeTheLimitOfItsSize() throws IOException {
        byte[] bomb = new byte[6 * MIB];

        assertThat(refusal("gzip", Codings.gzip(bomb)).status()).isEqualTo(413);
        assertThat(refusal("deflate", Codings.deflate(bomb)).code()).isEqualTo("request_too_large");
        assertThat(read("gzip", Codings.gzip(new byte[MIB]))).hasSize(MIB);
    }

    @Test
    void aBodyThatIsTooLongOnlyWhenItIsDecodedIsRefused() throws IOException {
        byte[] text = text(new Random(1), 9 * MIB);

        for (var coding : List.of("gzip", "zstd")) {
            var coded = coding.equals("gzip") ? Codings.gzip(text) : Codings.zstd(text);

            assertThat(coded.length).isLessThan(8 * MIB);
            assertThat(refusal(coding, coded).status()).isEqualTo(413);
            assertThat(refusal(coding, coded).message()).contains("at most 8388608 bytes");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
    void aBodyThatIsNotInItsCodingIsAMistakeOfTheRequest(String coding) {
        assertThat(refusal(coding, "{\"model\":\"m\"}".getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(400);
        assertThat(refusal(coding, new byte[0]).status()).isEqualTo(400);
    }

    @Test
    void aBodyThatIsDamagedIsNeverAFaultOfTheServer() throws IOException {
        var random = new Random(7);
        var whole = Map.of(
                "gzip", Codings.gzip(text(random, 4_000)),
                "deflate", Codings.deflate(text(random, 4_000)),
                "br", Codings.BROTLI,
                "zstd", Codings.zstd(text(random, 4_000)));
        for (int i = 0; i < 4_000; i++) {
            var coding = BodyLimit.CODINGS.get(random.nextInt(BodyLimit.CODINGS.size()));
            byte[] damaged = Objects.requireNonNull(whole.get(coding)).clone();
            damaged[random.nextInt(Math.min(damaged.length, 200))] ^= (byte) (1 << random.nextInt(8));

            var thrown = catchThrowable(() -> read(coding, damaged));

            assertThat(thrown)
                    .satisfiesAnyOf(
                            well -> assertThat(well).isNull(),
                            refused -> assertThat(refused).isInstanceOf(ProblemException.class));
        }
    }

    private static byte[] text(Random random, int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) ('a' + random.nextInt(4));
        }
        return text;
    }

    private byte[] read(String coding, byte[] body) throws IOException {
        try (var in = limit.limit(new ByteArrayInputStream(body), coding)) {
            return in.readAllBytes();
        }
    }

    private Problem refusal(String coding, byte[] body) {
        return (Problem) catchThrowableOfType(ProblemException.class, () -> read(coding, body))
                .problem();
    }
}
