package dev.counterpoint.gateway.log.follow;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.accepted;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.ownerEnd;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.reissue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.log.owner.Rings;
import dev.counterpoint.gateway.log.owner.WorkerVoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResponseReaderTest {
    private static final End END = new End(End.Finish.STOP, 10, 0, 5, 2, 0);

    private static final Rings RINGS = Rings.ofTests();

    private final WorkerVoice anna = new WorkerVoice(1, 0xA);
    private final WorkerVoice bert = new WorkerVoice(2, 0xB);

    @Test
    void anEntitledCallersGatewayReadsBothLanes() {
        // Given
        var reader = reader(accepted(ServiceRole.GATEWAY));
        // When
        var outputs = play(
                reader, anna.fence(RINGS.worker(), ServiceRole.GATEWAY), anna.thinks(0, "hm"), anna.says(1, "hello"));
        // Then
        assertThat(outputs)
                .satisfiesExactly(
                        thought -> assertPassage(thought, 0, true, "hm"),
                        answer -> assertPassage(answer, 1, false, "hello"));
    }

    @Test
    void withoutTheKeyReasoningIsOnlySeenToHappen() {
        var outputs = play(reader(accepted()), anna.fence(RINGS.worker()), anna.thinks(0, "hm"), anna.says(1, "hello"));

        assertThat(outputs.getFirst()).isEqualTo(new ModelOutput.Hidden(0));
        assertThat(outputs.getLast()).satisfies(answer -> assertPassage(answer, 1, false, "hello"));
    }

    @Test
    void aKeyThatAFenceHasByMistakeIsNotUsed() {
        var outputs = play(reader(accepted()), anna.fence(RINGS.worker(), ServiceRole.GATEWAY), anna.thinks(0, "hm"));

        assertThat(outputs).containsExactly(new ModelOutput.Hidden(0));
    }

    @Test
    void sealedReasoningIsPassedOnUnread() {
        var outputs = play(reader(accepted()), anna.fence(RINGS.worker()), anna.seals("blob"));

        assertThat(outputs).containsExactly(new ModelOutput.SealedReasoning("blob"));
    }

    @Test
    void theEndSaysHowTheModelFinished() {
        // Given
        var reader = reader(accepted());
        // When
        var outputs = play(reader, anna.fence(RINGS.worker()), anna.says(0, "hello"), anna.ends(END));
        // Then
        assertThat(outputs.getLast()).isEqualTo(new ModelOutput.Finished(END));
        assertThat(reader.ended()).isTrue();
    }

    @Test
    void theOwnersEndSaysWhy() {
        // Given
        var reader = reader(accepted());
        // When
        var outputs = play(reader, anna.fence(RINGS.worker()), ownerEnd(OwnerEnd.Reason.EXPIRED));
        // Then
        assertThat(outputs).containsExactly(new ModelOutput.Stopped(OwnerEnd.Reason.EXPIRED));
        assertThat(reader.ended()).isTrue();
    }

    @Test
    void framesThatOnlyOrderThingsSayNothing() {
        var outputs = play(
                reader(accepted()),
                anna.fence(RINGS.worker()),
                anna.progress(),
                anna.handover(),
                reissue(2),
                bert.fence(RINGS.worker()));

        assertThat(outputs).isEmpty();
    }

    @Test
    void whatAnybodyButTheHolderSaysIsVoid() {
        // Given
        var stranger = new WorkerVoice(1, 0xC);
        // When
        var outputs = play(
                reader(accepted()),
                anna.fence(RINGS.worker()),
                stranger.fence(RINGS.worker()),
                stranger.says(0, "I am late"),
                stranger.ends(END),
                anna.says(0, "hello"));
        // Then
        assertThat(texts(outputs)).containsExactly("hello");
    }

    @Test
    void nothingIsSaidAfterAGap() {
        // Given
        var reader = reader(accepted());
        // When
        var outputs = play(
                reader,
                anna.fence(RINGS.worker()),
                anna.says(0, "one"),
                anna.loses().says(0, "three"),
                anna.ends(END));
        // Then
        assertThat(texts(outputs)).containsExactly("one");
        assertThat(reader.givenUp()).isTrue();
        assertThat(reader.ended()).isFalse();
    }

    @Test
    void nothingIsSaidAfterTheEnd() {
        // Given
        var reader = reader(accepted());
        play(reader, anna.fence(RINGS.worker()), anna.ends(END));
        // When
        var outputs = play(reader, anna.says(0, "more"), ownerEnd(OwnerEnd.Reason.CANCELLED), reissue(2));
        // Then
        assertThat(outputs).isEmpty();
        assertThat(reader.attempt()).isOne();
    }

    @Test
    void theNextAttemptGoesOnWithKeysOfItsOwn() {
        // Given
        var reader = reader(accepted(ServiceRole.GATEWAY));
        play(reader, anna.fence(RINGS.worker(), ServiceRole.GATEWAY), anna.says(0, "hel"), reissue(2));
        // When
        var late = play(reader, anna.says(0, "lo"));
        var resumed = play(
                reader,
                bert.fence(RINGS.worker(), ServiceRole.GATEWAY),
                anna.says(0, "void"),
                bert.says(0, ", world"),
                bert.thinks(1, "hm"),
                bert.ends(END));
        // Then
        assertThat(texts(late)).as("until the new fence the old holder speaks").containsExactly("lo");
        assertThat(texts(resumed.subList(0, 2))).containsExactly(", world", "hm");
        assertThat(resumed.getLast()).isEqualTo(new ModelOutput.Finished(END));
        assertThat(reader.worker()).isEqualTo(bert.worker());
    }

    @Test
    void aHandoverIsOverWhenTheNextAttemptOpens() {
        // Given
        var reader = reader(accepted());
        play(reader, anna.fence(RINGS.worker()), anna.handover());
        boolean before = reader.givenUp();
        // When
        play(reader, reissue(2));
        // Then
        assertThat(before).isTrue();
        assertThat(reader.givenUp()).isFalse();
        assertThat(reader.fenced()).isFalse();
    }

    @Test
    void aFrameThatDoesNotOpenIsRefused() {
        var reader = reader(accepted());
        play(reader, anna.fence(RINGS.worker()));

        assertThatThrownBy(() -> accept(reader, anna.garbled(anna.says(0, "hello"))))
                .isInstanceOf(SealException.class);
        assertThat(reader.unreadable()).isTrue();
    }

    @Test
    void aFrameMovedToAnotherPlaceDoesNotOpen() {
        // Given
        var reader = reader(accepted());
        play(reader, anna.fence(RINGS.worker()));
        var first = anna.says(0, "one");
        var moved = anna.with(anna.says(0, "two"), first.body());
        accept(reader, first);

        // Then
        assertThatThrownBy(() -> accept(reader, moved)).isInstanceOf(SealException.class);
    }

    @Test
    void aBodyThatOpensAndIsNoneOfItsKindIsRefused() {
        var reader = reader(accepted());
        play(reader, anna.fence(RINGS.worker()));
        var none = anna.sealed(Lane.VISIBLE, FrameKind.DELTA, 0, new byte[] {(byte) 0xFF});

        assertThatThrownBy(() -> accept(reader, none)).isInstanceOf(MalformedMessageException.class);
        assertThat(reader.unreadable()).isTrue();
    }

    @Test
    void aFenceWithoutAKeyForGatewaysIsAFailureAndNotAHole() {
        // Given
        var reader = reader(accepted());
        var keyless = new Fence(anna.worker(), Map.of(), Map.of());
        var fence = TestKeys.signed(anna.fence(RINGS.worker()).withBody(keyless.encode()));

        // Then
        assertThatThrownBy(() -> accept(reader, fence)).isInstanceOf(SealException.class);
        assertThat(reader.unreadable()).isTrue();
    }

    @Test
    void afterAFenceThatDoesNotOpenNothingIsReadWithTheKeysBeforeIt() {
        // Given
        var reader = reader(accepted());
        play(reader, anna.fence(RINGS.worker()), anna.says(0, "one"), reissue(2));
        var otherPlace = new WorkerVoice(1, 0xB).fence(RINGS.worker());
        var broken = TestKeys.signed(bert.fence(RINGS.worker()).withBody(otherPlace.body()));
        assertThatThrownBy(() -> accept(reader, broken)).isInstanceOf(SealException.class);
        // When
        var outputs = play(reader, bert.says(0, "two"));
        // Then
        assertThat(outputs).isEmpty();
    }

    @Test
    void whatCannotBeReadToTheEndHasFailedEvenIfItsWorkerFinishes() {
        // Given
        var reader = unreadable();
        // When
        var outputs = play(reader, anna.says(0, "more"), anna.ends(END));
        // Then
        assertThat(outputs).containsExactly(new ModelOutput.Stopped(OwnerEnd.Reason.ATTEMPTS_EXHAUSTED));
    }

    @Test
    void whatCannotBeReadToTheEndStillHearsWhyItsOwnerEndedIt() {
        // Given
        var reader = unreadable();
        // When
        var outputs = play(reader, ownerEnd(OwnerEnd.Reason.EXPIRED));
        // Then
        assertThat(outputs).containsExactly(new ModelOutput.Stopped(OwnerEnd.Reason.EXPIRED));
    }

    private ResponseReader unreadable() {
        var reader = reader(accepted());
        play(reader, anna.fence(RINGS.worker()));
        assertThatThrownBy(() -> accept(reader, anna.garbled(anna.says(0, "hello"))))
                .isInstanceOf(SealException.class);
        return reader;
    }

    @Test
    void noInterleavingWithAStrangersFramesChangesWhatIsSaid() {
        // Given
        var story = story();
        var strangers = strangersFrames();
        var alone = play(reader(accepted(ServiceRole.GATEWAY)), story.toArray(Frame[]::new));

        for (int seed = 0; seed < 300; seed++) {
            // When
            var mixed = play(
                    reader(accepted(ServiceRole.GATEWAY)),
                    interleaved(story, strangers, new Random(seed)).toArray(Frame[]::new));
            // Then
            assertThat(said(mixed)).as("seed %d", seed).isEqualTo(said(alone));
        }
    }

    private List<Frame> story() {
        return List.of(
                anna.fence(RINGS.worker(), ServiceRole.GATEWAY),
                anna.thinks(0, "hm"),
                anna.says(1, "hel"),
                reissue(2),
                bert.fence(RINGS.worker(), ServiceRole.GATEWAY),
                bert.says(1, "lo"),
                bert.progress(),
                bert.seals("blob"),
                bert.ends(END));
    }

    /// Frames of workers that lost their fence, and of one that never had one.
    private static List<Frame> strangersFrames() {
        var frames = new ArrayList<Frame>();
        for (int attempt = 1; attempt <= 3; attempt++) {
            var stranger = new WorkerVoice(attempt, 0xC0 + attempt);
            frames.add(stranger.says(1, "void"));
            frames.add(stranger.progress());
            frames.add(stranger.handover());
            frames.add(stranger.ends(END));
        }
        return frames;
    }

    /// The story in its order, with any number of the strangers' frames anywhere between.
    private static List<Frame> interleaved(List<Frame> story, List<Frame> strangers, Random random) {
        var mixed = new ArrayList<Frame>();
        for (var frame : story) {
            for (int i = random.nextInt(4); i > 0; i--) {
                mixed.add(strangers.get(random.nextInt(strangers.size())));
            }
            mixed.add(frame);
        }
        return mixed;
    }

    /// Outputs in a form that compares by value: a delta holds arrays.
    private static List<String> said(List<ModelOutput> outputs) {
        return outputs.stream()
                .map(output -> output.getClass().getSimpleName() + " " + WorkerVoice.text(output))
                .toList();
    }

    private static ResponseReader reader(Accepted accepted) {
        var first = WorkerVoice.frame(accepted);
        var reader = new ResponseReader(accepted, Objects.requireNonNull(LogTrust.of(first, RINGS.gateway())));
        accept(reader, first);
        return reader;
    }

    private static List<ModelOutput> play(ResponseReader reader, Frame... frames) {
        var outputs = new ArrayList<ModelOutput>();
        for (var frame : frames) {
            var output = accept(reader, frame);
            if (output != null) {
                outputs.add(output);
            }
        }
        return outputs;
    }

    private static Stream<@org.jspecify.annotations.Nullable String> texts(List<ModelOutput> outputs) {
        return outputs.stream().map(WorkerVoice::text);
    }

    private static void assertPassage(ModelOutput output, int message, boolean reasoning, String text) {
        assertThat(output).isInstanceOfSatisfying(ModelOutput.Passage.class, passage -> {
            assertThat(passage.message()).isEqualTo(message);
            assertThat(passage.reasoning()).isEqualTo(reasoning);
            assertThat(passage.delta().text()).isEqualTo(text);
        });
    }

    private static @Nullable ModelOutput accept(ResponseReader reader, Frame frame) {
        return reader.counts(frame) ? reader.read(frame) : null;
    }
}
