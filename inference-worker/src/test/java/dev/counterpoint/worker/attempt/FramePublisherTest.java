package dev.counterpoint.worker.attempt;

import static dev.counterpoint.worker.attempt.AttemptLog.RESPONSE;
import static dev.counterpoint.worker.attempt.AttemptLog.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FramePublisherTest {
    private static final long NONCE = 0xA;
    private static final End END = new End(End.Finish.STOP, 10, 0, 5, 2, 0);
    private static final byte[] TRACE = {1};
    private static final Delta SECRET = new Delta(null, new int[] {1}, "a secret text", false, List.of());

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final AttemptKeys attemptKeys = AttemptKeys.create();
    private final AttemptLog log = new AttemptLog(keys, true);
    private final FramePublisher publisher = log.publisher(1, NONCE, attemptKeys);
    private final AttemptLog slow = new AttemptLog(keys, false);
    private final FramePublisher waiting = slow.publisher(1, NONCE, attemptKeys);

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @Test
    void onlyWhatIsSaidIsCountedAndTheEndCarriesTheCount() throws InterruptedException {
        // When
        publisher.delta(0, Lane.REASONING, SECRET);
        publisher.progress();
        publisher.sealedReasoning("blob");
        publisher.delta(1, Lane.VISIBLE, SECRET);
        publisher.handover();
        publisher.end(END, AttemptSpans.NONE);
        // Then
        assertThat(log.frames())
                .filteredOn(frame -> frame.lane() != Lane.CONTROL)
                .extracting(Frame::kind, Frame::seq)
                .containsExactly(
                        tuple(FrameKind.DELTA, 0),
                        tuple(FrameKind.SEALED_REASONING, 1),
                        tuple(FrameKind.DELTA, 2),
                        tuple(FrameKind.END, 3));
    }

    @Test
    void everyFrameGoesToThePartitionThatTheResponseNames() throws InterruptedException {
        // When
        publisher.delta(0, Lane.VISIBLE, SECRET);
        publisher.progress();
        publisher.end(END, AttemptSpans.NONE);
        // Then
        assertThat(log.producer.history()).hasSize(3).allSatisfy(record -> {
            assertThat(record.partition()).isEqualTo(RESPONSE.partition());
            assertThat(record.key()).isEqualTo(RESPONSE.toString());
        });
        assertThat(log.frames()).allSatisfy(frame -> {
            assertThat(frame.response()).isEqualTo(RESPONSE);
            assertThat(frame.attempt()).isOne();
            assertThat(frame.nonce()).isEqualTo(NONCE);
        });
    }

    @Test
    void writesInTheFormatThatTheTicketNames() throws InterruptedException {
        // Given
        var accepted = Accepted.decode(AttemptLog.accepted(2).body());
        var binary = new FramePublisher(JobTicket.of(RESPONSE, 0, 1, accepted), NONCE, attemptKeys, log.sender);
        binary.fenced(true);
        // When
        binary.delta(0, Lane.VISIBLE, SECRET);
        binary.progress();
        binary.handover();
        binary.end(END, AttemptSpans.NONE);
        // Then
        assertThat(log.frames())
                .hasSize(4)
                .allSatisfy(frame -> assertThat(frame.format()).isEqualTo(2));
        assertThat(log.producer.history())
                .allSatisfy(record -> assertThat(record.key()).isNull());
        var visible = Objects.requireNonNull(attemptKeys.visible());
        assertThat(Delta.decode(visible.open(TENANT, log.frames().getFirst())).text())
                .isEqualTo(SECRET.text());
    }

    @Test
    void nothingIsSaidInClear() throws InterruptedException {
        // When
        publisher.delta(0, Lane.REASONING, SECRET);
        publisher.delta(1, Lane.VISIBLE, SECRET);
        publisher.end(END, AttemptSpans.NONE);
        // Then
        assertThat(log.producer.history())
                .allSatisfy(record -> assertThat(new String(record.value(), StandardCharsets.ISO_8859_1))
                        .doesNotContain("secret"));
    }

    @Test
    void eachLaneOpensWithItsOwnKeyOnly() {
        // When
        publisher.delta(0, Lane.REASONING, SECRET);
        publisher.delta(1, Lane.VISIBLE, SECRET);
        // Then
        var reasoning = Objects.requireNonNull(attemptKeys.reasoning());
        var visible = Objects.requireNonNull(attemptKeys.visible());
        var thought = log.frames().getFirst();
        var answer = log.frames().getLast();
        assertThat(Delta.decode(reasoning.open(TENANT, thought)).text()).isEqualTo(SECRET.text());
        assertThat(Delta.decode(visible.open(TENANT, answer)).text()).isEqualTo(SECRET.text());
        assertThatThrownBy(() -> visible.open(TENANT, thought)).isInstanceOf(SealException.class);
    }

    @Test
    void theEndSaysHowItFinished() throws InterruptedException {
        // When
        boolean ended = publisher.end(END, AttemptSpans.NONE);
        // Then
        var visible = Objects.requireNonNull(attemptKeys.visible());
        assertThat(ended).isTrue();
        assertThat(End.decode(visible.open(TENANT, log.frames().getLast()))).isEqualTo(END);
    }

    @Test
    void aLostAppendIsNeverForgotten() {
        // Given
        waiting.delta(0, Lane.VISIBLE, SECRET);
        waiting.delta(0, Lane.VISIBLE, SECRET);
        boolean before = waiting.failed();
        // When
        slow.settle();
        slow.producer.errorNext(new TimeoutException("lost"));
        slow.producer.completeNext();
        // Then
        assertThat(before).isFalse();
        assertThat(waiting.failed()).isTrue();
    }

    @Test
    void anAppendThatIsRefusedAtOnceIsLostToo() {
        // Given
        log.producer.sendException = new KafkaException("away");
        // When
        publisher.delta(0, Lane.VISIBLE, SECRET);
        log.settle();
        // Then
        assertThat(publisher.failed()).isTrue();
    }

    @Test
    void theEndIsAwaited() throws Exception {
        // Given
        var ended = endOfWaiting();
        assertThat(ended).isNotDone();
        // When
        slow.producer.completeNext();
        // Then
        assertThat(ended.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anEndThatIsLostIsNone() throws Exception {
        // Given
        var ended = endOfWaiting();
        // When
        slow.producer.errorNext(new TimeoutException("lost"));
        // Then
        assertThat(ended.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(waiting.failed()).isTrue();
    }

    @Test
    void anEndAfterALostFrameIsNone() throws Exception {
        // Given
        waiting.delta(0, Lane.VISIBLE, SECRET);
        slow.settle();
        slow.producer.errorNext(new TimeoutException("lost"));
        // When
        var ended = endOfWaiting();
        slow.producer.completeNext();
        // Then
        assertThat(ended.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aTraceWaitsUntilEveryFrameBeforeItIsThere() throws Exception {
        // Given
        waiting.delta(0, Lane.REASONING, SECRET);
        waiting.delta(0, Lane.REASONING, SECRET);
        slow.settle();
        var traced = elsewhere(() -> waiting.trace(TRACE, AttemptSpans.NONE));
        slow.producer.completeNext();
        assertThat(topics()).containsExactly(Topic.FRAMES, Topic.FRAMES);
        // When
        slow.producer.completeNext();
        while (topics().size() < 3) {
            Thread.onSpinWait();
        }
        slow.producer.completeNext();
        // Then
        assertThat(traced.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(topics()).endsWith(Topic.AUDIT);
    }

    @Test
    void thereIsNoTraceAfterALostFrame() throws Exception {
        // Given
        waiting.delta(0, Lane.REASONING, SECRET);
        slow.settle();
        var traced = elsewhere(() -> waiting.trace(TRACE, AttemptSpans.NONE));
        // When
        slow.producer.errorNext(new TimeoutException("lost"));
        // Then
        assertThat(traced.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(topics()).containsExactly(Topic.FRAMES);
    }

    private List<String> topics() {
        return slow.producer.history().stream().map(ProducerRecord::topic).toList();
    }

    private static CompletableFuture<Boolean> elsewhere(Callable<Boolean> task) {
        var done = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(task.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /// Ends on another thread; comes back when the end is on its way.
    private CompletableFuture<Boolean> endOfWaiting() {
        int before = slow.producer.history().size();
        var ended = elsewhere(() -> waiting.end(END, AttemptSpans.NONE));
        while (slow.producer.history().size() == before) {
            Thread.onSpinWait();
        }
        return ended;
    }
}
