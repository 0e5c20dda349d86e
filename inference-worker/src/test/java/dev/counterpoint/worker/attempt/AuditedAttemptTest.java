package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Opted-in responses leave their trace before they end.
@Timeout(60)
class AuditedAttemptTest {
    private static final byte[] TERMS = "terms, sealed".getBytes(StandardCharsets.UTF_8);
    private static final PromptItem QUESTION = new PromptItem.User("What is 17 plus 25?");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final AttemptKeys attemptKeys = AttemptKeys.create();
    private AttemptLog log = new AttemptLog(keys, true);

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @Test
    void theTraceHoldsTheWholeReasoningAndComesRightBeforeTheEnd() {
        // When
        attempt(job(QUESTION, 0), true, List.of()).run();
        // Then
        var record = traces().getFirst();
        var trace = opened(record);
        var end = end();
        assertThat(lastTopics()).containsExactly(Topic.AUDIT, Topic.FRAMES);
        assertThat(record.response()).isEqualTo(AttemptLog.RESPONSE);
        assertThat(record.tenant()).isEqualTo(AttemptLog.TENANT);
        assertThat(record.key()).isEqualTo("key");
        assertThat(record.model()).isEqualTo("model");
        assertThat(record.acceptedAtMillis()).isEqualTo(AttemptLog.RESPONSE.acceptedAtMillis());
        assertThat(record.terms()).isEqualTo(TERMS);
        assertThat(texts(trace)).isEqualTo(reasoningInTheLog()).isNotEmpty();
        assertThat(trace.finish()).isEqualTo(End.Finish.STOP);
        assertThat(trace.inputTokens()).isEqualTo(end.inputTokens()).isPositive();
        assertThat(trace.outputTokens()).isEqualTo(end.outputTokens());
        assertThat(trace.reasoningTokens()).isEqualTo(end.reasoningTokens()).isPositive();
        assertThat(trace.endedAtMillis()).isEqualTo(end.endedAtMillis());
    }

    @Test
    void nothingOfItStandsInClear() {
        // When
        attempt(job(QUESTION, 0), true, List.of()).run();
        // Then
        var thought = texts(opened(traces().getFirst())).getFirst();
        assertThat(log.producer.history())
                .allSatisfy(record -> assertThat(new String(record.value(), StandardCharsets.UTF_8))
                        .doesNotContain(thought)
                        .doesNotContain(thought.substring(0, 12)));
    }

    @Test
    void aResponseThatIsNotOptedInLeavesNone() {
        // When
        attempt(job(QUESTION, 0), false, List.of()).run();
        // Then
        assertThat(traces()).isEmpty();
        assertThat(end().finish()).isEqualTo(End.Finish.STOP);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 40})
    void aTruncatedResponseLeavesWhatItReasoned(int max) {
        // When
        attempt(job(QUESTION, max), true, List.of()).run();
        // Then
        var trace = opened(traces().getFirst());
        assertThat(end().finish()).isEqualTo(End.Finish.MAX_TOKENS);
        assertThat(trace.finish()).isEqualTo(End.Finish.MAX_TOKENS);
        assertThat(texts(trace)).isEqualTo(reasoningInTheLog());
    }

    @Test
    void aRefusedPromptLeavesATraceOfNoReasoning() {
        // When
        attempt(job(new PromptItem.Sealed("no blob"), 0), true, List.of()).run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.INVALID_REASONING);
        assertThat(opened(traces().getFirst()).segments()).isEmpty();
        assertThat(lastTopics()).containsExactly(Topic.AUDIT, Topic.FRAMES);
    }

    @Test
    void withoutATraceThereIsNoEnd() {
        // Given
        log = new AttemptLog(keys, true) {
            @Override
            @Nullable
            RuntimeException failure(ProducerRecord<String, byte[]> record) {
                return record.topic().equals(Topic.AUDIT) ? new TimeoutException("away") : null;
            }
        };
        // When
        attempt(job(QUESTION, 0), true, List.of()).run();
        // Then
        assertThat(log.frames())
                .extracting(Frame::kind)
                .endsWith(FrameKind.HANDOVER)
                .doesNotContain(FrameKind.END);
    }

    @Test
    void aSuccessorLeavesTheSameTraceWhereverItsPredecessorDied() {
        // Given
        attempt(job(QUESTION, 0), true, List.of()).run();
        var whole = opened(traces().getFirst());
        var said = said();
        for (int cut = 0; cut <= said.size(); cut++) {
            log = new AttemptLog(keys, true);
            // When
            attempt(job(QUESTION, 0), true, said.subList(0, cut)).run();
            // Then
            var again = opened(traces().getFirst());
            assertThat(again.segments()).as("died after %d frames", cut).isEqualTo(whole.segments());
            assertThat(again.reasoningTokens()).isEqualTo(whole.reasoningTokens());
            assertThat(again.outputTokens()).isEqualTo(whole.outputTokens());
        }
    }

    private List<String> lastTopics() {
        var topics = log.producer.history().stream().map(ProducerRecord::topic).toList();
        return topics.subList(topics.size() - 2, topics.size());
    }

    private List<TraceRecord> traces() {
        return log.producer.history().stream()
                .filter(record -> record.topic().equals(Topic.AUDIT))
                .peek(record -> assertThat(record.key()).isEqualTo(AttemptLog.RESPONSE.toString()))
                .map(record -> TraceRecord.decode(record.value()))
                .toList();
    }

    private static Trace opened(TraceRecord record) {
        var sealed = ((TraceRecord.Whole) record.body()).sealedTrace();
        var auditor = KeyRing.load(folder, ServiceRole.AUDIT);
        return Trace.decode(auditor.open(sealed, Trace.context(AttemptLog.TENANT, AttemptLog.RESPONSE)));
    }

    private static List<String> texts(Trace trace) {
        return trace.segments().stream().map(Trace.Segment::text).toList();
    }

    /// The text of each message of the reasoning lane, as a reader of the log has it.
    private List<String> reasoningInTheLog() {
        var messages = new TreeMap<Integer, StringBuilder>();
        for (var frame : log.frames()) {
            if (frame.kind() == FrameKind.DELTA && frame.lane() == Lane.REASONING) {
                messages.computeIfAbsent(frame.message(), _ -> new StringBuilder())
                        .append(delta(frame).text());
            }
        }
        return messages.values().stream().map(StringBuilder::toString).toList();
    }

    private List<ResumeState.Said> said() {
        var said = new ArrayList<ResumeState.Said>();
        for (var frame : log.frames()) {
            if (frame.kind() == FrameKind.DELTA) {
                said.add(new ResumeState.Said.Tokens(delta(frame).tokens()));
            } else if (frame.kind() == FrameKind.SEALED_REASONING) {
                said.add(new ResumeState.Said.Sealed());
            }
        }
        return said;
    }

    private Delta delta(Frame frame) {
        return Objects.requireNonNull(attemptKeys.delta(AttemptLog.TENANT, frame));
    }

    private End end() {
        var frame = log.frames().getLast();
        assertThat(frame.kind()).isEqualTo(FrameKind.END);
        return End.decode(Objects.requireNonNull(attemptKeys.visible()).open(AttemptLog.TENANT, frame));
    }

    private static GenerationJob job(PromptItem item, int max) {
        return new GenerationJob(
                List.of(item),
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                max,
                GenerationJob.ReasoningTerms.of("context"));
    }

    private Attempt attempt(GenerationJob job, boolean audited, List<ResumeState.Said> prefix) {
        var bench = new Workbench(new SimulatedEngine(SimulatedOptions.immediate("model")), keys);
        var hold = bench.attempt(AttemptLog.ticket(1), log.publisher(1, 1, attemptKeys));
        return new Attempt(hold, job, trail(audited), prefix, bench.context);
    }

    private static @Nullable TraceRecordHeader trail(boolean audited) {
        var nothing = new byte[0];
        var accepted = new Accepted(
                AttemptLog.TENANT,
                "key",
                "model",
                AttemptLog.RESPONSE.acceptedAtMillis(),
                Long.MAX_VALUE,
                audited ? Set.of(ServiceRole.AUDIT) : Set.of(ServiceRole.GATEWAY),
                false,
                false,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(nothing, nothing, nothing, audited ? TERMS : nothing),
                "",
                1);
        return TraceRecordHeader.of(AttemptLog.RESPONSE, accepted);
    }
}
