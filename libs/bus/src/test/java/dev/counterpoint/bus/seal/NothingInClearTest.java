package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a stranger with the broker's disk in hand finds in the bytes of sealed messages: neither text nor token ids.
class NothingInClearTest {
    private static final ResponseId RESPONSE = new ResponseId(1, 0, 2, 3);
    private static final String SECRET = "The user's password is Zürich-1291.";
    private static final int[] TOKENS = {976, 1825, 885, 4049, 382, 1428, 38481, 12, 113_411, 13};
    private static final AttemptKeys.Place PLACE = new AttemptKeys.Place("tenant", RESPONSE, 1, 7);
    private static final Delta DELTA = new Delta(
            new Delta.Header("analysis", "functions.secret_tool", null),
            TOKENS,
            SECRET,
            true,
            List.of(new Delta.TokenLogprob(SECRET, utf8(SECRET), -1, List.of())));

    /// Shorter pieces would be found by chance.
    private static final int PIECE_BYTES = 6;

    @Test
    void theSearchFindsWhatStandsInClear() {
        var open = frame(Lane.CONTROL, FrameKind.DELTA, DELTA.encode()).encode();

        assertThat(piecesFound(open, utf8(SECRET))).isNotEmpty();
        assertThat(piecesFound(open, varints(TOKENS))).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"VISIBLE", "REASONING"})
    void aSealedDeltaShowsNeitherTextNorTokensNorHeader(Lane lane) {
        var key = Objects.requireNonNull(AttemptKeys.create().of(lane));
        var place = frame(lane, FrameKind.DELTA, new byte[0]);

        var onTheBus = frame(lane, FrameKind.DELTA, key.seal(DELTA.encode(), "tenant", place))
                .encode();

        assertNothingOf(onTheBus, SECRET);
        assertNothingOf(onTheBus, "functions.secret_tool");
        assertThat(piecesFound(onTheBus, varints(TOKENS))).isEmpty();
    }

    @Test
    void frameZeroShowsNeitherPromptNorToolsNorEcho() {
        // Given
        var gateway = TestKeys.of(ServiceRole.GATEWAY);
        var job = new GenerationJob(
                List.of(new PromptItem.User(SECRET), new PromptItem.Reasoning("secret reasoning of before")),
                List.of(new GenerationJob.FunctionTool("secret_tool", "does secret things", "{\"secret\":1}", true)),
                GenerationJob.ToolChoice.AUTO,
                "medium",
                "2026-11-21",
                new GenerationJob.ResponseFormat("secret_format", null, "{\"secret\":2}", true),
                GenerationJob.Sampling.DEFAULT,
                100,
                GenerationJob.ReasoningTerms.of("secret context"));
        var accepted = new Accepted(
                "tenant",
                "key",
                "model",
                1,
                2,
                Set.of(),
                false,
                true,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(
                        gateway.sealFor(ServiceRole.GATEWAY, utf8(SECRET), "echo"),
                        gateway.sealFor(ServiceRole.WORKER, job.encode(), Accepted.jobContext("tenant", RESPONSE)),
                        gateway.sealFor(
                                ServiceRole.SUMMARIZER,
                                new SummaryJob(SummaryJob.Detail.AUTO, List.of(SECRET), SECRET).encode(),
                                Accepted.summaryContext("tenant", RESPONSE)),
                        gateway.sealFor(ServiceRole.AUDIT, utf8(SECRET), "terms")),
                "",
                1);
        // When
        var onTheBus =
                frame(Lane.CONTROL, FrameKind.ACCEPTED, accepted.encode()).encode();
        // Then
        assertNothingOf(onTheBus, SECRET);
        for (var part : List.of("secret reasoning of before", "secret_tool", "secret things", "secret_format")) {
            assertNothingOf(onTheBus, part);
        }
        assertThat(TestKeys.of(ServiceRole.WORKER)
                        .open(
                                Accepted.decode(Frame.decode(onTheBus).body())
                                        .sealed()
                                        .job(),
                                "job|tenant|" + RESPONSE))
                .isEqualTo(job.encode());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aFenceDoesNotShowTheKeysThatItHandsOut(int format) {
        // Given
        var worker = TestKeys.of(ServiceRole.WORKER);
        var fence = AttemptKeys.create().fence("worker", PLACE, Set.of(), worker.sealer(format));
        // When
        var onTheBus = frame(Lane.CONTROL, FrameKind.FENCE, fence.encode()).encode();
        // Then
        for (var lane : List.of(Lane.VISIBLE, Lane.REASONING)) {
            assertThat(piecesFound(onTheBus, rawKey(fence, lane, worker))).isEmpty();
        }
    }

    private static byte[] rawKey(Fence fence, Lane lane, KeyRing keys) {
        var wrapped = lane == Lane.VISIBLE ? fence.visible() : fence.reasoning();
        return keys.open(Objects.requireNonNull(wrapped.get(ServiceRole.WORKER)), PLACE.context(lane));
    }

    @Test
    void sealedReasoningShowsNothing() {
        // Small ids are packed as the bytes of these letters.
        var blob = SealedReasoning.seal(
                SECRET.chars().toArray(),
                new SealedReasoning.Header(9, 1, ""),
                "context",
                TestKeys.of(ServiceRole.WORKER));

        assertNothingOf(utf8(blob), SECRET);
        assertNothingOf(Base64.getUrlDecoder().decode(blob), SECRET);
    }

    @Test
    void nothingThatHoldsContentShowsItWhenPrinted() {
        var printed = String.join(
                "\n",
                DELTA.toString(),
                DELTA.logprobs().toString(),
                new PromptItem.Instructions(SECRET).toString(),
                new PromptItem.User(SECRET).toString(),
                new PromptItem.Assistant(SECRET, false).toString(),
                new PromptItem.Reasoning(SECRET).toString(),
                new PromptItem.Sealed(SECRET).toString(),
                new PromptItem.Retold(SECRET).toString(),
                new PromptItem.Call("id", "name", SECRET).toString(),
                new PromptItem.CallOutput("id", "name", SECRET).toString(),
                new GenerationJob.FunctionTool(SECRET, SECRET, SECRET, true).toString(),
                new GenerationJob.InputGrammar(GenerationJob.InputGrammar.Syntax.LARK, SECRET).toString(),
                new GenerationJob.ResponseFormat(SECRET, SECRET, SECRET, true).toString(),
                new DraftTask(SECRET, SECRET, SECRET, 1).toString(),
                AttemptKeys.create().toString(),
                new AuditTerms("opt-in", SECRET, SECRET).toString(),
                trace().toString(),
                trace().segments().toString());

        assertNothingOf(utf8(printed), SECRET);
    }

    private static Trace trace() {
        var segment = new Trace.Segment(0, "analysis", SECRET, SECRET);
        return new Trace(End.Finish.STOP, 1, 2, 3, 4, List.of(segment));
    }

    private static void assertNothingOf(byte[] haystack, String text) {
        assertThat(piecesFound(haystack, utf8(text))).isEmpty();
    }

    /// Every piece of `needle` that stands in `haystack`.
    private static List<String> piecesFound(byte[] haystack, byte[] needle) {
        var all = new String(haystack, StandardCharsets.ISO_8859_1);
        var wanted = new String(needle, StandardCharsets.ISO_8859_1);
        return IntStream.rangeClosed(0, wanted.length() - PIECE_BYTES)
                .mapToObj(i -> wanted.substring(i, i + PIECE_BYTES))
                .filter(all::contains)
                .toList();
    }

    private static byte[] varints(int[] tokens) {
        var bytes = new ByteArrayOutputStream();
        try {
            var out = CodedOutputStream.newInstance(bytes);
            for (int token : tokens) {
                out.writeUInt32NoTag(token);
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Frame frame(Lane lane, FrameKind kind, byte[] body) {
        return new Frame(RESPONSE, 1, 7, 0, lane, kind, 0, body, UnknownFields.NONE);
    }
}
