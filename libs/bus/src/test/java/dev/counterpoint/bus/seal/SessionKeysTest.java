package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Content under a key that is sealed once and used for minutes.
class SessionKeysTest {
    private static final byte[] CONTENT = "a lane key".getBytes(StandardCharsets.UTF_8);
    private static final KeyRing WORKER = TestKeys.of(ServiceRole.WORKER);
    private static final KeyRing GATEWAY = TestKeys.of(ServiceRole.GATEWAY);

    private long nanos = Long.MAX_VALUE - 1_000;
    private final SessionKeys writer = new SessionKeys(WORKER, () -> nanos);
    private final SessionKeys reader = new SessionKeys(GATEWAY, () -> nanos);

    @Test
    void aReaderIsSealedOneKeyForAllContents() {
        var first = session(sealed(writer));

        assertThat(session(sealed(writer))).isEqualTo(first);
        assertThat(session(writer.sealFor(ServiceRole.SUMMARIZER, CONTENT, "here")))
                .isNotEqualTo(first);
    }

    @Test
    void aKeyIsUsedForFiveMinutesAtMost() {
        // Given
        var first = session(sealed(writer));
        nanos += Duration.ofMinutes(5).toNanos() - 1;
        assertThat(session(sealed(writer))).isEqualTo(first);
        // When
        nanos++;
        // Then
        assertThat(session(sealed(writer))).isNotEqualTo(first);
    }

    @Test
    void aKeyIsUsedABoundedNumberOfTimes() {
        var first = session(sealed(writer));
        for (int uses = 2; uses <= SessionKeys.USES_MAX; uses++) {
            writer.session(ServiceRole.GATEWAY);
        }

        assertThat(session(sealed(writer))).isNotEqualTo(first);
    }

    @Test
    void opensForItsReaderAndWhereItWasSealedOnly() {
        var sealed = sealed(writer);

        assertThat(GATEWAY.open(sealed, "here")).isEqualTo(CONTENT);
        assertThatThrownBy(() -> GATEWAY.open(sealed, "there")).isInstanceOf(SealException.class);
        for (var other : new ServiceRole[] {ServiceRole.WORKER, ServiceRole.SUMMARIZER, ServiceRole.AUDIT}) {
            assertThatThrownBy(() -> TestKeys.of(other).open(sealed, "here")).isInstanceOf(SealException.class);
        }
    }

    @Test
    void noAlteredByteAndNoTruncationOpens() {
        var sealed = sealed(writer);

        for (int i = 0; i < sealed.length; i++) {
            var altered = sealed.clone();
            altered[i] ^= 1;
            var cut = Arrays.copyOf(sealed, i);
            assertThatThrownBy(() -> GATEWAY.open(altered, "here")).isInstanceOf(SealException.class);
            assertThatThrownBy(() -> GATEWAY.open(cut, "here")).isInstanceOf(SealException.class);
        }
    }

    @Test
    void anyOneContentOpensByItself() {
        sealed(writer);
        var later = sealed(writer);

        assertThat(KeyRing.load(TestKeys.FOLDER, ServiceRole.GATEWAY).open(later, "here"))
                .isEqualTo(CONTENT);
    }

    @Test
    void aSessionInASessionIsNoKey() {
        var nested = BusProto.SessionSealed.newBuilder()
                .setSession(Wire.bytes(sealed(writer)))
                .setContent(Wire.bytes(CONTENT))
                .build();

        assertThatThrownBy(() -> GATEWAY.open(nested.toByteArray(), "here")).isInstanceOf(SealException.class);
    }

    @Test
    void whatIsNotAKeyOpensNothing() {
        var short16 = WORKER.sealFor(ServiceRole.GATEWAY, new byte[16], "session|gateway");
        var sealed = BusProto.SessionSealed.newBuilder()
                .setSession(Wire.bytes(short16))
                .setContent(Wire.bytes(CONTENT))
                .build();

        assertThatThrownBy(() -> GATEWAY.open(sealed.toByteArray(), "here"))
                .isInstanceOf(SealException.class)
                .hasMessage("a session key has 32 bytes");
    }

    @Test
    void aReaderKeepsABoundedNumberOfOpenedKeys() {
        for (int i = 0; i <= SessionKeys.OPENED_MAX; i++) {
            reader.open(sealed(new SessionKeys(WORKER, () -> nanos)), "here");
        }

        assertThat(reader.opened()).isEqualTo(SessionKeys.OPENED_MAX);
    }

    @Test
    void aReaderForgetsAKeyInTime() {
        // Given
        var sealed = sealed(writer);
        reader.open(sealed, "here");
        reader.open(sealed, "here");
        assertThat(reader.opened()).isOne();
        nanos += SessionKeys.OPENED_LIFETIME.toNanos();
        // When
        reader.open(sealed(writer), "here");
        // Then
        assertThat(reader.opened()).isOne();
        assertThat(reader.open(sealed, "here")).isEqualTo(CONTENT);
    }

    private static byte[] sealed(SessionKeys by) {
        return by.sealFor(ServiceRole.GATEWAY, CONTENT, "here");
    }

    private static byte[] session(byte[] sealed) {
        return Wire.parse(BusProto.SessionSealed.parser(), sealed).getSession().toByteArray();
    }
}
