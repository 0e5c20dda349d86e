package dev.counterpoint.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Two servers of one engine that say the same, of which one dies in the middle of answers: nothing that was said is
/// wrong, what breaks goes on on the other server at its next token, and who comes later notices nothing.
public final class ServerLoss {
    private static final int AT_ONCE = 4;
    private static final int LATER = 8;

    private ServerLoss() {}

    /// @param engine that knows both servers to be well, with four slots
    /// @param request that is long and not drawn
    /// @param kill what ends one of them
    public static void survives(Engine engine, GenerationRequest request, Runnable kill) throws InterruptedException {
        int[] whole = GenerationPull.all(engine, request).ids();
        var running = new ArrayList<Generation>();
        for (int i = 0; i < AT_ONCE; i++) {
            running.add(engine.start(ofTenant(i, request)));
        }
        for (var generation : running) {
            assertThat(generation.next()).isEqualTo(new Step.Token(whole[0], null));
        }
        kill.run();
        int broken = 0;
        for (int i = 0; i < AT_ONCE; i++) {
            var more = GenerationPull.all(running.get(i));
            running.get(i).close();
            int[] said = IntStream.concat(IntStream.of(whole[0]), Arrays.stream(more.ids()))
                    .toArray();
            assertThat(whole).startsWith(said);
            if (more.reason() == StopReason.FAILED) {
                broken++;
                var rest = GenerationPull.all(engine, RequestVariants.resumed(ofTenant(i, request), said));
                assertThat(rest.ids()).isEqualTo(Arrays.copyOfRange(whole, said.length, whole.length));
            } else {
                assertThat(said).isEqualTo(whole);
            }
        }
        assertThat(broken).as("one server died, and one did not").isBetween(1, AT_ONCE - 1);
        for (int i = 0; i < LATER; i++) {
            var later = GenerationPull.all(engine, ofTenant(AT_ONCE + i, request));
            assertThat(later.ids()).isEqualTo(whole);
        }
    }

    /// Prompts of one tenant go where its earlier ones went.
    private static GenerationRequest ofTenant(int tenant, GenerationRequest request) {
        return new GenerationRequest(
                request.id(),
                request.prompt(),
                request.prefix(),
                request.sampling(),
                request.maxTokens(),
                request.stopTokens(),
                request.mask(),
                "tenant-" + tenant);
    }
}
