package dev.counterpoint.gateway.log.follow;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.log.owner.WorkerVoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveGenerationTest {
    private static final int CAPACITY = 4;
    private static final ModelOutput FINISHED = new ModelOutput.Finished(new End(End.Finish.STOP, 1, 0, 20, 0, 0));
    private static final List<ModelOutput> ALL = Stream.concat(
                    IntStream.range(0, 20)
                            .mapToObj(n -> new ModelOutput.Passage(n, false, WorkerVoice.delta("word " + n))),
                    Stream.of(FINISHED))
            .toList();

    private final ReaderHandle expected = new ReaderHandle(new Mailbox(CAPACITY));
    private final Logs logs = new Logs();
    private final Generations.Generation generation = new LiveGeneration(
            RESPONSE,
            expected,
            false,
            logs,
            TestAdmission.of(new FleetMembership("gateway-1", 4, Duration.ofMillis(500)), (_, _) -> {}));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void whoFellBehindIsToldOnceAndGoesOnFromTheLogWithoutGapOrRepetition(int readBefore) throws Exception {
        // Given
        var heard = new ArrayList<@Nullable ModelOutput>();
        for (int i = 0; i < readBefore; i++) {
            expected.mailbox().offer(ALL.get(i));
            heard.add(generation.next(0));
        }
        ALL.stream().skip(readBefore).forEach(expected.mailbox()::offer);
        // When
        for (int i = 0; i < CAPACITY; i++) {
            heard.add(generation.next(0));
        }
        assertThat(generation.fellBehind()).isFalse();
        assertThat(generation.next(0)).isNull();
        assertThat(generation.fellBehind()).isTrue();
        while (heard.size() < ALL.size()) {
            heard.add(generation.next(0));
        }
        // Then
        assertThat(heard).isEqualTo(ALL);
        assertThat(logs.open).as("the place is given back with the end").isZero();
    }

    @Test
    void whileNoPlaceIsFreeItIsTriedAgain() throws Exception {
        // Given
        ALL.forEach(expected.mailbox()::offer);
        for (int i = 0; i < CAPACITY; i++) {
            generation.next(0);
        }
        assertThat(generation.fellBehind()).isFalse();
        assertThat(generation.next(0)).isNull();
        assertThat(generation.fellBehind()).isTrue();
        logs.busy = true;
        assertThat(generation.next(0)).isNull();
        // When
        logs.busy = false;
        // Then
        assertThat(generation.next(0)).isEqualTo(ALL.get(CAPACITY));
    }

    private static final class Logs implements Replays {
        private boolean busy;
        private int open;

        @Override
        public boolean accepted(ResponseId id, long atMostMillis) {
            return true;
        }

        @Override
        public Replay open(ResponseId id, long atMostMillis) {
            if (busy) {
                throw new BusyException();
            }
            open++;
            var outputs = ALL.iterator();
            return new Replay() {
                @Override
                public ResponseId id() {
                    return RESPONSE;
                }

                @Override
                public boolean left() {
                    return false;
                }

                @Override
                public void abandon() {
                    close();
                }

                @Override
                public Accepted accepted() {
                    return WorkerVoice.accepted();
                }

                @Override
                public byte[] echo() {
                    return new byte[0];
                }

                @Override
                public @Nullable ModelOutput next(long atMostMillis) {
                    var output = outputs.hasNext() ? outputs.next() : null;
                    if (FINISHED.equals(output)) {
                        close();
                    }
                    return output;
                }

                @Override
                public void close() {
                    open--;
                }
            };
        }
    }
}
