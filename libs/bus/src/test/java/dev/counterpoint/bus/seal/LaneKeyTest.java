package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A sealed body opens where it was put and nowhere else.
class LaneKeyTest {
    private static final String TENANT = "tenant";
    private static final String SECRET = "the model's secret thought";
    private static final byte[] CONTENT = SECRET.getBytes(StandardCharsets.UTF_8);
    private static final ResponseId RESPONSE = new ResponseId(1, 0, 2, 3);
    private static final LaneKey KEY = LaneKey.create();
    private static final Frame PLACE =
            new Frame(RESPONSE, 1, 7, 5, Lane.REASONING, FrameKind.DELTA, 2, new byte[0], UnknownFields.NONE);
    private static final byte[] SEALED = KEY.seal(CONTENT, TENANT, PLACE);

    @Test
    void opensWhereItWasSealed() {
        assertThat(KEY.open(TENANT, holding(PLACE, SEALED))).isEqualTo(CONTENT);
    }

    @Test
    void opensAfterATripOverTheBus() {
        var arrived = Frame.decode(holding(PLACE, SEALED).encode());

        assertThat(KEY.open(TENANT, arrived)).isEqualTo(CONTENT);
    }

    static Stream<Arguments> otherPlaces() {
        var other = new ResponseId(1, 0, 2, 4);
        return Stream.of(
                Arguments.of("another tenant", "tenant2", PLACE),
                Arguments.of("another response", TENANT, place(other, 1, 7, 5, Lane.REASONING, FrameKind.DELTA, 2)),
                Arguments.of("another attempt", TENANT, place(RESPONSE, 2, 7, 5, Lane.REASONING, FrameKind.DELTA, 2)),
                Arguments.of("another nonce", TENANT, place(RESPONSE, 1, -7, 5, Lane.REASONING, FrameKind.DELTA, 2)),
                Arguments.of("another seq", TENANT, place(RESPONSE, 1, 7, 6, Lane.REASONING, FrameKind.DELTA, 2)),
                Arguments.of("another lane", TENANT, place(RESPONSE, 1, 7, 5, Lane.VISIBLE, FrameKind.DELTA, 2)),
                Arguments.of("another kind", TENANT, place(RESPONSE, 1, 7, 5, Lane.REASONING, FrameKind.END, 2)),
                Arguments.of("another message", TENANT, place(RESPONSE, 1, 7, 5, Lane.REASONING, FrameKind.DELTA, 3)),
                Arguments.of("digits moved", TENANT, place(RESPONSE, 17, 7, 5, Lane.REASONING, FrameKind.DELTA, 2)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherPlaces")
    void doesNotOpenIn(String what, String tenant, Frame place) {
        for (int format = 1; format <= Frame.NEWEST_FORMAT; format++) {
            var sealed = KEY.seal(CONTENT, TENANT, PLACE.in(format));
            assertClosed(what, tenant, place.in(format).withBody(sealed));
        }
    }

    @Test
    void doesNotOpenInAnotherFormat() {
        var binary = PLACE.in(2);
        var sealed = KEY.seal(CONTENT, TENANT, binary);

        assertThat(KEY.open(TENANT, Frame.decode(binary.withBody(sealed).encode())))
                .isEqualTo(CONTENT);
        assertClosed("format 1", TENANT, PLACE.withBody(sealed));
        assertClosed("format 2", TENANT, binary.withBody(SEALED));
    }

    private static void assertClosed(String what, String tenant, Frame frame) {
        assertThatThrownBy(() -> KEY.open(tenant, frame))
                .as(what)
                .isInstanceOf(SealException.class)
                .hasMessageContaining("does not open")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aTenantsNameCannotPretendToBeAnotherPlace() {
        // Given names whose separator could move the border between tenant and response
        var sealed = KEY.seal(CONTENT, "a|b", PLACE);
        // Then
        assertThat(KEY.open("a|b", holding(PLACE, sealed))).isEqualTo(CONTENT);
        assertThatThrownBy(() -> KEY.open("a", holding(PLACE, sealed))).isInstanceOf(SealException.class);
        assertThatThrownBy(() -> KEY.open("b", holding(PLACE, sealed))).isInstanceOf(SealException.class);
    }

    @Test
    void noAlteredByteAndNoTruncationOpens() {
        for (int i = 0; i < SEALED.length; i++) {
            var altered = SEALED.clone();
            altered[i] ^= 1;
            var cut = Arrays.copyOf(SEALED, i);
            assertThatThrownBy(() -> KEY.open(TENANT, holding(PLACE, altered))).isInstanceOf(SealException.class);
            assertThatThrownBy(() -> KEY.open(TENANT, holding(PLACE, cut))).isInstanceOf(SealException.class);
        }
    }

    @Test
    void anotherKeyDoesNotOpen() {
        assertThatThrownBy(() -> LaneKey.create().open(TENANT, holding(PLACE, SEALED)))
                .isInstanceOf(SealException.class);
    }

    @Test
    void theSameContentNeverLooksTheSame() {
        assertThat(KEY.seal(CONTENT, TENANT, PLACE)).isNotEqualTo(SEALED);
    }

    @Test
    void aWrappedKeyOpensForItsReaderInItsContextOnly() {
        // Given
        var wrapped = KEY.wrapFor(ServiceRole.WORKER, TestKeys.of(ServiceRole.GATEWAY), "here");
        // Then
        assertThatCode(() -> LaneKey.unwrap(wrapped, TestKeys.of(ServiceRole.WORKER), "here")
                        .open(TENANT, holding(PLACE, SEALED)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> LaneKey.unwrap(wrapped, TestKeys.of(ServiceRole.WORKER), "there"))
                .isInstanceOf(SealException.class);
        assertThatThrownBy(() -> LaneKey.unwrap(wrapped, TestKeys.of(ServiceRole.GATEWAY), "here"))
                .isInstanceOf(SealException.class);
    }

    @Test
    void whatIsNotAKeyIsNotUnwrapped() {
        var short31 = TestKeys.of(ServiceRole.GATEWAY).sealFor(ServiceRole.WORKER, new byte[31], "here");

        assertThatThrownBy(() -> LaneKey.unwrap(short31, TestKeys.of(ServiceRole.WORKER), "here"))
                .isInstanceOf(SealException.class)
                .hasMessage("a lane key has 32 bytes");
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    private static Frame place(
            ResponseId response, int attempt, long nonce, int seq, Lane lane, FrameKind kind, int message) {
        return new Frame(response, attempt, nonce, seq, lane, kind, message, new byte[0], UnknownFields.NONE);
    }

    private static Frame holding(Frame place, byte[] body) {
        return new Frame(
                place.response(),
                place.attempt(),
                place.nonce(),
                place.seq(),
                place.lane(),
                place.kind(),
                place.message(),
                body,
                UnknownFields.NONE);
    }
}
