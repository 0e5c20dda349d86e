package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may open which lane.
class AttemptKeysTest {
    private static final ResponseId RESPONSE = new ResponseId(1, 0, 2, 3);
    private static final AttemptKeys.Place PLACE = new AttemptKeys.Place("tenant", RESPONSE, 1, 7);
    private static final KeyRing WORKER = TestKeys.of(ServiceRole.WORKER);

    @ParameterizedTest(name = "{0} with raw readers {1}: visible {2}, reasoning {3}")
    @CsvSource({
        "GATEWAY,    none,          true,  false",
        "WORKER,     none,          true,  true",
        "SUMMARIZER, none,          true,  true",
        "AUDIT,      none,          false, false",
        "GATEWAY,    GATEWAY,       true,  true",
        "AUDIT,      GATEWAY,       false, false",
        "GATEWAY,    AUDIT,         true,  false",
        "AUDIT,      AUDIT,         false, true",
        "GATEWAY,    GATEWAY+AUDIT, true,  true",
        "AUDIT,      GATEWAY+AUDIT, false, true"
    })
    void everyRoleGetsTheKeysOfItsLanes(ServiceRole role, String raw, boolean visible, boolean reasoning) {
        for (int format = 1; format <= Frame.NEWEST_FORMAT; format++) {
            // Given
            var sealer = WORKER.sealer(format);
            var fence = arrived(AttemptKeys.create().fence("worker-1", PLACE, rawReaders(raw), sealer));
            // When
            var keys = AttemptKeys.of(fence, PLACE, TestKeys.of(role));
            // Then
            assertThat(keys.visible() != null).isEqualTo(visible);
            assertThat(keys.reasoning() != null).isEqualTo(reasoning);
            assertThat(keys.of(Lane.CONTROL)).isNull();
            assertThat(keys.of(Lane.SUMMARY)).isSameAs(keys.visible());
        }
    }

    private static Set<ServiceRole> rawReaders(String names) {
        return switch (names) {
            case "none" -> Set.of();
            case "GATEWAY+AUDIT" -> Set.of(ServiceRole.GATEWAY, ServiceRole.AUDIT);
            default -> Set.of(ServiceRole.valueOf(names));
        };
    }

    @Test
    void aGatewayWithoutTheKeySeesThatReasoningHappensAndNothingOfIt() {
        // Given
        var worker = AttemptKeys.create();
        var gateway = AttemptKeys.of(fence(worker, Set.of()), PLACE, TestKeys.of(ServiceRole.GATEWAY));
        var thought = sealed(worker, Lane.REASONING, "secret thought");
        var answer = sealed(worker, Lane.VISIBLE, "answer");
        // Then
        assertThat(gateway.delta("tenant", thought)).isNull();
        assertThat(Objects.requireNonNull(gateway.delta("tenant", answer)).text())
                .isEqualTo("answer");
    }

    @Test
    void theVisibleKeyDoesNotOpenTheReasoningLane() {
        var worker = AttemptKeys.create();
        var thought = sealed(worker, Lane.REASONING, "secret thought");

        assertThatThrownBy(() -> Objects.requireNonNull(worker.visible()).open("tenant", thought))
                .isInstanceOf(SealException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void aSuccessorOpensWhatTheAttemptBeforeItSaid() {
        var dead = AttemptKeys.create();
        var successor = AttemptKeys.of(fence(dead, Set.of()), PLACE, WORKER);

        assertThat(Objects.requireNonNull(successor.delta("tenant", sealed(dead, Lane.REASONING, "so far")))
                        .text())
                .isEqualTo("so far");
    }

    @ParameterizedTest
    @CsvSource({"GATEWAY, 1", "WORKER, 1", "SUMMARIZER, 1", "GATEWAY, 2", "WORKER, 2", "SUMMARIZER, 2"})
    void keysOfAFenceThatWasMovedDoNotOpen(ServiceRole role, int format) {
        var fence = arrived(AttemptKeys.create().fence("worker-1", PLACE, Set.of(), WORKER.sealer(format)));
        var ring = TestKeys.of(role);

        assertThatThrownBy(() -> AttemptKeys.of(fence, new AttemptKeys.Place("other", RESPONSE, 1, 7), ring))
                .isInstanceOf(SealException.class);
        assertThatThrownBy(() ->
                        AttemptKeys.of(fence, new AttemptKeys.Place("tenant", new ResponseId(1, 0, 2, 4), 1, 7), ring))
                .isInstanceOf(SealException.class);
        assertThatThrownBy(() -> AttemptKeys.of(fence, new AttemptKeys.Place("tenant", RESPONSE, 2, 7), ring))
                .isInstanceOf(SealException.class);
        assertThatThrownBy(() -> AttemptKeys.of(fence, new AttemptKeys.Place("tenant", RESPONSE, 1, 8), ring))
                .isInstanceOf(SealException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theKeyOfOneLaneCannotBePutIntoTheOther(int format) {
        var fence = arrived(AttemptKeys.create().fence("worker-1", PLACE, Set.of(), WORKER.sealer(format)));
        var swapped = new Fence(fence.worker(), fence.reasoning(), fence.visible());

        assertThatThrownBy(() -> AttemptKeys.of(swapped, PLACE, WORKER)).isInstanceOf(SealException.class);
    }

    @Test
    void whoHoldsOnlyTheVisibleKeyCannotFence() {
        var gateway = AttemptKeys.of(fence(AttemptKeys.create(), Set.of()), PLACE, TestKeys.of(ServiceRole.GATEWAY));

        assertThatThrownBy(() -> gateway.fence("gateway", PLACE, Set.of(), TestKeys.of(ServiceRole.GATEWAY)))
                .isInstanceOf(SealException.class);
    }

    @Test
    void servicesOfDifferentLocalesUnderstandEachOther() {
        // Given a locale with digits of its own
        var before = Locale.getDefault();
        Fence fence;
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            fence = fence(AttemptKeys.create(), Set.of());
        } finally {
            Locale.setDefault(before);
        }
        // Then
        assertThat(AttemptKeys.of(fence, PLACE, TestKeys.of(ServiceRole.GATEWAY))
                        .visible())
                .isNotNull();
    }

    private static Fence fence(AttemptKeys keys, Set<ServiceRole> rawReaders) {
        return arrived(keys.fence("worker-1", PLACE, rawReaders, WORKER));
    }

    private static Fence arrived(Fence fence) {
        return Fence.decode(fence.encode());
    }

    private static Frame sealed(AttemptKeys keys, Lane lane, String text) {
        var place = new Frame(RESPONSE, 1, 7, 0, lane, FrameKind.DELTA, 0, new byte[0], UnknownFields.NONE);
        var delta = new Delta(null, new int[] {1}, text, false, List.of());
        var body = Objects.requireNonNull(keys.of(lane)).seal(delta.encode(), "tenant", place);
        return new Frame(RESPONSE, 1, 7, 0, lane, FrameKind.DELTA, 0, body, UnknownFields.NONE);
    }
}
