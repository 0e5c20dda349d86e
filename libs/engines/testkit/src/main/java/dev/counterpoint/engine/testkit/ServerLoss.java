package dev.counterpoint.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Two servers of one engine produce the same output, and one of them dies in the middle of answers. No output is
/// wrong, a broken answer continues on the other server at its next token, and later requests notice nothing.
public final class ServerLoss {
    private static final int AT_ONCE = 4;
    private static final int LATER = 8;

    private ServerLoss() {}

    /// @param engine that knows both servers to be well, with four slots
    /// @param request that is long and not drawn
    /// @param kill what ends one of them
    public static void survives(Engine engine, GenerationRequest request, Runnable kill) throws InterruptedException {
        var requests = IntStream.range(0, AT_ONCE + LATER)
                .mapToObj(number -> ofConversation(number, request))
                .toList();
        var whole = new ArrayList<int[]>();
        for (var one : requests) {
            whole.add(GenerationPull.all(engine, one).ids());
        }
        var running = new ArrayList<PulledGeneration>();
        for (var one : requests.subList(0, AT_ONCE)) {
            running.add(new PulledGeneration(engine, one));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            assertThat(firstToken(running.get(i)).id()).isEqualTo(whole.get(i)[0]);
        }
        kill.run();
        int broken = 0;
        for (int i = 0; i < AT_ONCE; i++) {
            var more = GenerationPull.all(running.get(i));
            running.get(i).close();
            int[] said = IntStream.concat(IntStream.of(whole.get(i)[0]), Arrays.stream(more.ids()))
                    .toArray();
            assertThat(whole.get(i)).startsWith(said);
            if (more.reason() == StopReason.FAILED) {
                broken++;
                var rest = GenerationPull.all(engine, RequestVariants.resumed(requests.get(i), said));
                assertThat(rest.ids()).isEqualTo(Arrays.copyOfRange(whole.get(i), said.length, whole.get(i).length));
            } else {
                assertThat(said).isEqualTo(whole.get(i));
            }
        }
        assertThat(broken).as("one server died, and one did not").isBetween(1, AT_ONCE - 1);
        for (int i = AT_ONCE; i < requests.size(); i++) {
            assertThat(GenerationPull.all(engine, requests.get(i)).ids()).isEqualTo(whole.get(i));
        }
    }

    private static Step.Token firstToken(PulledGeneration generation) throws InterruptedException {
        while (true) {
            if (generation.next() instanceof Step.Token token) {
                return token;
            }
        }
    }

    /// Another tenant and another prompt from its beginning on, so that the server is chosen anew.
    private static GenerationRequest ofConversation(int number, GenerationRequest request) {
        int[] prompt = request.prompt().clone();
        prompt[0] += number;
        return new GenerationRequest(
                request.id(),
                prompt,
                request.prefix(),
                request.sampling(),
                request.maxTokens(),
                request.stopTokens(),
                request.mask(),
                "tenant-" + number);
    }
}
