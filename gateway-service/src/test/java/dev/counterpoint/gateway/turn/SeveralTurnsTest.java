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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeveralTurnsTest {
    private static final String DONE = "data: [DONE]\n\n";
    private static final ModelOutput STOP = ModelScript.finish(End.Finish.STOP);
    private static final ModelOutput TOO_LONG = ModelScript.finish(End.Finish.PROMPT_TOO_LONG);

    @Test
    void theTurnsComeAsOneStreamThatEndsWithTheLastOfThem() throws Exception {
        // Given
        var first = generation("a1", "a2");
        var second = generation("b1");

        // When
        var stream = stream(first, second);
        second.say(STOP);
        first.say(STOP);
        var blocks = readAll(stream);

        // Then
        assertThat(blocks)
                .containsExactlyInAnyOrder("begin", "a1", "a2", "end", "begin", "b1", "end", "2 ended", DONE)
                .containsSubsequence("begin", "a1", "a2", "end", "2 ended", DONE)
                .containsSubsequence("begin", "b1", "end", "2 ended", DONE);
        assertThat(stream.next(1_000)).isEqualTo(EventSource.Step.END);
    }

    @Test
    void aWrongRequestIsAnErrorOfItsOwnAndEndsTheOthers() throws Exception {
        // Given
        var first = generation();
        var second = generation();
        second.say(TOO_LONG);

        // Then
        assertThatThrownBy(() -> stream(first, second).next(60_000)).isInstanceOf(ProblemException.class);
        assertThat(first.isAbandoned()).isTrue();
    }

    @Test
    void aTurnThatFailsLaterIsToldAndEndsTheOthers() throws Exception {
        // Given
        var first = generation("a1");
        var second = generation();
        var stream = stream(first, second);
        var begin = stream.next(60_000);

        // When
        second.say(TOO_LONG);
        var blocks = readAll(stream);

        // Then
        assertThat(begin).isInstanceOf(EventSource.Step.Blocks.class);
        assertThat(blocks).endsWith("begin", "end", "last words", DONE);
        assertThat(first.isAbandoned()).isTrue();
    }

    @Test
    void aReaderThatFellBehindOneIsTreatedAsGone() throws Exception {
        // Given
        var first = generation();
        var second = generation();
        second.lag();

        // When
        var step = stream(first, second).next(60_000);

        // Then
        assertThat(step).isEqualTo(EventSource.Step.LOST);
        assertThat(first.isAbandoned()).isTrue();
        assertThat(second.isAbandoned()).isTrue();
    }

    @Test
    void turnsWithoutNewsKeepTheConnectionAlive() throws Exception {
        assertThat(stream(generation(), generation()).next(20)).isEqualTo(EventSource.Step.PAUSE);
    }

    @Test
    void awaitedTogetherTheirEndingsComeInOrder() throws Exception {
        // Given
        var first = generation("a1");
        var second = generation("b1");
        first.say(ModelScript.finish(End.Finish.MAX_TOKENS));
        second.say(STOP);

        // When
        var endings = TurnRun.awaitAll(runs(first, second), Duration.ofMinutes(1));

        // Then
        assertThat(endings.getFirst()).isInstanceOf(TurnEnding.Truncated.class);
        assertThat(endings.getLast()).isInstanceOf(TurnEnding.Complete.class);
    }

    @Test
    void whenOneDoesNotBeginInTimeAllAreGivenUp() throws Exception {
        // Given
        var first = generation("a1");
        var second = generation();

        // Then
        assertThatThrownBy(() -> TurnRun.awaitAll(runs(second, first), Duration.ofMillis(1)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem().status()).isEqualTo(504));
        assertThat(first.isAbandoned()).isTrue();
    }

    private static FakeGeneration generation(String... words) {
        var generation = new FakeGeneration(ResponseId.create(1, 2), List.of());
        for (var word : words) {
            generation.say(ModelScript.says(0, false, word));
        }
        return generation;
    }

    private static List<TurnRun<String>> runs(FakeGeneration... generations) {
        return Stream.of(generations)
                .map(generation -> new TurnRun<>(generation, new SplitText(), (_, onRecord) -> onRecord.run()))
                .toList();
    }

    private static TurnStream<String> stream(FakeGeneration... generations) {
        var format = new EventFormat<String>() {
            @Override
            public List<byte[]> blocks(String word) {
                return List.of(word.getBytes(UTF_8));
            }

            @Override
            public Optional<Problem> refusal(TurnEnding ending) {
                return TurnRefusals.of(ending, "messages");
            }

            @Override
            public List<byte[]> lastWords(TurnEnding ending) {
                return ending instanceof TurnEnding.Complete ? List.of() : List.of("last words".getBytes(UTF_8));
            }
        };
        return new TurnStream<>(runs(generations), format, endings -> List.of(endings.size() + " ended"));
    }

    private static List<String> readAll(TurnStream<String> stream) throws InterruptedException {
        var blocks = new ArrayList<String>();
        while (stream.next(60_000) instanceof EventSource.Step.Blocks(Iterable<byte[]> next)) {
            next.forEach(block -> blocks.add(new String(block, UTF_8)));
        }
        return blocks;
    }
}
