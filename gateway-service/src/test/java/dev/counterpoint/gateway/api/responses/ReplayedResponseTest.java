package dev.counterpoint.gateway.api.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.TurnStream;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplayedResponseTest {
    private static final ResponseId ID = new ResponseId(1_790_000_000_000L, 3, 0xCAFE, 0xBABE);
    private static final List<ModelOutput> SCRIPT = ModelScript.read("""
        [{"hidden":0},{"sealed":"YQ"},{"message":1,"channel":"final"},{"message":1,"text":"4"},
         {"message":1,"text":"2","closed":true},{"finish":"STOP"}]\
        """);
    private static final int EVENTS = 12;

    private final List<String> order = new ArrayList<>();

    @Test
    void fromEachEventOnItGivesExactlyTheRest() throws Exception {
        // Given
        var whole = readAll(stream(new FakeReplay(SCRIPT), -1));
        assertThat(whole).hasSize(EVENTS + 1).endsWith("data: [DONE]\n\n");
        // Then
        for (int last = 0; last < EVENTS; last++) {
            assertThat(readAll(stream(new FakeReplay(SCRIPT), last)))
                    .as("after %d", last)
                    .isEqualTo(whole.subList(last + 1, whole.size()));
        }
        assertThat(readAll(stream(new FakeReplay(SCRIPT), 1_000))).containsExactly("data: [DONE]\n\n");
    }

    @Test
    void nobodyHearsOfTheEndBeforeItIsCommitted() throws Exception {
        // When
        readAll(stream(new FakeReplay(SCRIPT), -1));
        // Then
        assertThat(order).containsSubsequence("event", "committed", "end").doesNotHaveDuplicates();
    }

    @Test
    void theFirstEventsDoNotWaitForTheModelAndSilenceIsSaid() throws Exception {
        // Given
        var replay = new FakeReplay(List.of());
        var stream = stream(replay, -1);
        // Then
        assertThat(stream.next(0))
                .isInstanceOfSatisfying(
                        EventSource.Step.Blocks.class,
                        step -> assertThat(new String(step.blocks().iterator().next(), UTF_8))
                                .startsWith("event: response.created"));
        assertThat(stream.next(0)).isEqualTo(EventSource.Step.PAUSE);
        stream.abandon();
        assertThat(stream.next(1_000)).isEqualTo(EventSource.Step.END);
        assertThat(replay.closed).isTrue();
    }

    private TurnStream<StreamEvent> stream(Replays.Replay replay, long startingAfter) {
        var request = WireJson.read("{\"model\":\"m\",\"input\":\"2+2?\"}".getBytes(UTF_8), CreateResponse.class);
        var plan = TestPlans.of(false, false, ResponsesJob.echo(request, "m"));
        var run = new TurnRun<>(replay, new ResponseAssembler(ID, plan), (_, _) -> order.add("committed"));
        return new TurnStream<>(run, new ResponseEventFormat(startingAfter, true));
    }

    private List<String> readAll(TurnStream<StreamEvent> stream) throws InterruptedException {
        var blocks = new ArrayList<String>();
        while (stream.next(1_000) instanceof EventSource.Step.Blocks(Iterable<byte[]> next)) {
            for (var block : next) {
                var text = new String(block, UTF_8);
                blocks.add(text);
                var kind = text.startsWith("event: response.completed") ? "end" : "event";
                if (!order.contains(kind)) {
                    order.add(kind);
                }
            }
        }
        return blocks;
    }

    private static final class FakeReplay implements Replays.Replay {
        private final BlockingQueue<ModelOutput> outputs;
        private boolean closed;

        FakeReplay(List<ModelOutput> script) {
            outputs = new LinkedBlockingQueue<>(script);
        }

        @Override
        public ResponseId id() {
            return ID;
        }

        @Override
        public boolean left() {
            return closed;
        }

        @Override
        public void abandon() {
            outputs.add(new ModelOutput.Stopped(OwnerEnd.Reason.CANCELLED));
            close();
        }

        @Override
        public Accepted accepted() {
            throw new IllegalStateException("nobody asks");
        }

        @Override
        public byte[] echo() {
            throw new IllegalStateException("nobody asks");
        }

        @Override
        public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
            return outputs.poll(atMostMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
