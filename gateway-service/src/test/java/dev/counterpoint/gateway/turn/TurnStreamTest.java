package dev.counterpoint.gateway.turn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TurnStreamTest {
    private static final ModelOutput WORD = ModelScript.says(0, false, "word");
    private static final ModelOutput THOUGHT = new ModelOutput.Hidden(0);
    private static final ModelOutput STOP = ModelScript.finish(End.Finish.STOP);
    private static final ModelOutput TOO_LONG = ModelScript.finish(End.Finish.PROMPT_TOO_LONG);
    private static final ModelOutput BROKEN = ModelScript.finish(End.Finish.FAILED);

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Runnable> late = new AtomicReference<>(() -> {});
    private boolean kept = true;

    @Test
    void theEndIsOnRecordBeforeAnyoneHearsOfIt() throws Exception {
        // Given
        var generation = generation(WORD, STOP);
        var stream = stream(generation);

        // When
        var blocks = readAll(stream);

        // Then
        assertThat(blocks).containsExactly("begin", "word", "end", "data: [DONE]\n\n");
        assertThat(log).containsExactly("word", "closed", "end");
        assertThat(generation.settledAlready()).isTrue();
    }

    @Test
    void whatIsNotOnRecordIsLeftToBeTakenUpAgain() throws Exception {
        // Given
        kept = false;
        var generation = generation(WORD, STOP);

        // When
        readAll(stream(generation));
        boolean early = generation.settledAlready();
        late.get().run();

        // Then
        assertThat(early).isFalse();
        assertThat(generation.settledAlready()).as("once it is on record").isTrue();
    }

    @Test
    void aWrongRequestIsAnErrorOfItsOwnAsLongAsNothingWasWritten() {
        var stream = stream(generation(TOO_LONG));

        assertThatThrownBy(() -> stream.next(1_000)).isInstanceOfSatisfying(ProblemException.class, refusal -> {
            var problem = (Problem) refusal.problem();
            assertThat(problem.status()).isEqualTo(400);
            assertThat(problem.code()).isEqualTo("context_length_exceeded");
            assertThat(problem.param()).isEqualTo("input");
        });
    }

    @Test
    void afterTheFirstCommentTheStreamHasToTellIt() throws Exception {
        // Given
        var generation = generation();
        var stream = stream(generation);
        assertThat(stream.next(1)).isEqualTo(EventSource.Step.PAUSE);

        // When
        generation.say(TOO_LONG);

        // Then
        assertThat(readAll(stream)).containsExactly("begin", "end", "last words", "data: [DONE]\n\n");
    }

    @Test
    void aFailureIsNotTheRequestsFault() throws Exception {
        assertThat(readAll(stream(generation(BROKEN))))
                .containsExactly("begin", "end", "last words", "data: [DONE]\n\n");
    }

    @Test
    void aModelThatThinksInSilenceKeepsTheConnectionAlive() throws Exception {
        // Given
        var generation = generation(WORD, THOUGHT, THOUGHT, THOUGHT);
        var stream = stream(generation);
        stream.next(1_000);

        // Then
        assertThat(stream.next(20)).isEqualTo(EventSource.Step.PAUSE);
    }

    @Test
    void aTurnWhoseClientLeftIsBroughtToItsEnd() throws Exception {
        // Given
        var generation = generation(WORD);
        var stream = stream(generation);
        stream.next(1_000);

        // When
        stream.abandon();
        stream.abandon();

        // Then
        assertThat(generation.isAbandoned()).isTrue();
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(generation.isSettled()).isTrue();
    }

    @Test
    void inTheBackgroundTheClientIsToldAtOnceWhatToComeBackFor() throws Exception {
        // Given
        var generation = generation();
        var stream = stream(generation, true);

        // When
        var first = stream.next(60_000);
        generation.say(TOO_LONG);

        // Then
        assertThat(first).isInstanceOf(EventSource.Step.Blocks.class);
        assertThat(readAll(stream)).containsExactly("end", "last words", "data: [DONE]\n\n");
    }

    @Test
    @DisplayName("M2 a slow client makes the gateway hold one event, not all that are due")
    void eachEventIsMadeWhenTheOneBeforeIsWritten() throws Exception {
        // Given
        var stream = stream(generation(WORD, WORD), false);
        var due = ((EventSource.Step.Blocks) stream.next(60_000)).blocks().iterator();
        // When
        var first = new String(due.next(), UTF_8);
        // Then
        assertThat(first).isEqualTo("begin");
        assertThat(log).isEmpty();
        due.next();
        assertThat(log).hasSize(1);
        stream.abandon();
    }

    @Test
    void aReaderThatFellBehindIsTreatedAsGone() throws Exception {
        // Given
        var generation = generation(WORD);
        var stream = stream(generation);
        stream.next(1_000);
        generation.lag();

        // When
        var step = stream.next(1_000);

        // Then
        assertThat(step).isEqualTo(EventSource.Step.LOST);
        assertThat(stream.next(1_000)).isEqualTo(EventSource.Step.END);
        assertThat(generation.isAbandoned()).isTrue();
        assertThat(closed.await(10, TimeUnit.SECONDS))
                .as("brought to its end all the same")
                .isTrue();
    }

    @Test
    void whoReadsForNoSlowClientGoesOnFromTheLog() throws Exception {
        // Given
        var generation = generation(WORD, STOP);
        generation.lag();

        // When
        var ending = run(generation).await(Duration.ofSeconds(1));

        // Then
        assertThat(ending).isInstanceOf(TurnEnding.Complete.class);
        assertThat(log).containsExactly("closed");
    }

    @Test
    void aModelThatDoesNotBeginInTimeIsGivenUp() throws Exception {
        // Given
        var generation = generation();

        // Then
        assertThatThrownBy(() -> run(generation).await(Duration.ofMillis(1)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem().status()).isEqualTo(504));
        assertThat(generation.isAbandoned()).isTrue();
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static FakeGeneration generation(ModelOutput... script) {
        return new FakeGeneration(new ResponseId(1, 2, 3, 4), List.of(script));
    }

    private TurnRun<String> run(FakeGeneration generation) {
        return new TurnRun<>(generation, new SplitText(), (_, onRecord) -> {
            log.add("closed");
            if (kept) {
                onRecord.run();
            } else {
                late.set(onRecord);
            }
            closed.countDown();
        });
    }

    private TurnStream<String> stream(FakeGeneration generation) {
        return stream(generation, false);
    }

    private TurnStream<String> stream(FakeGeneration generation, boolean atOnce) {
        var format = new EventFormat<String>() {
            @Override
            public boolean atOnce() {
                return atOnce;
            }

            @Override
            public List<byte[]> blocks(String word) {
                if (!word.equals("begin")) {
                    log.add(word);
                }
                return List.of(word.getBytes(UTF_8));
            }

            @Override
            public Optional<Problem> refusal(TurnEnding ending) {
                return ending instanceof TurnEnding.Refused ? TurnRefusals.of(ending, "input") : Optional.empty();
            }

            @Override
            public List<byte[]> lastWords(TurnEnding ending) {
                return ending instanceof TurnEnding.Complete ? List.of() : List.of("last words".getBytes(UTF_8));
            }
        };
        return new TurnStream<>(run(generation), format);
    }

    private static List<String> readAll(TurnStream<String> stream) throws InterruptedException {
        var blocks = new ArrayList<String>();
        while (stream.next(1_000) instanceof EventSource.Step.Blocks(Iterable<byte[]> next)) {
            next.forEach(block -> blocks.add(new String(block, UTF_8)));
        }
        return blocks;
    }
}
