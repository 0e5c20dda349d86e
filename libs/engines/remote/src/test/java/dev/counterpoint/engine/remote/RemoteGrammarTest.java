package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a server is told of a mask that it can enforce as a grammar, and what happens where it does not.
@Timeout(60)
class RemoteGrammarTest {
    private static final int[] PROMPT = IntStream.range(1000, 1100).toArray();
    private static final int WRONG = 4242;

    private final FakeVllm server = FakeVllm.completions();
    private final Engine engine =
            new RemoteEngine(TestOptions.of(VllmDialect.COMPLETIONS, server).options());

    @AfterEach
    void close() {
        engine.close();
        server.close();
    }

    @Test
    void theServerGetsTheGrammarOfTheRestAndOneRequest() throws InterruptedException {
        var pulled = pull(new Form(-1), Sampling.GREEDY);

        assertThat(pulled.ids()).hasSize(8);
        assertThat(server.requests()).hasSize(1);
        assertThat(grammar(server.requests().getFirst())).isEqualTo("XGRAMMAR after 0");
    }

    @Test
    void aTokenThatDoesNotFitIsForbiddenAndTheRestAskedForAgain() throws InterruptedException {
        server.says(length -> length == PROMPT.length + 3 ? WRONG : -1);

        var pulled = pull(new Form(WRONG), Sampling.GREEDY);

        assertThat(pulled.ids()).hasSize(8).doesNotContain(WRONG);
        assertThat(server.requests()).hasSize(2);
        assertThat(grammar(server.requests().getLast())).isEqualTo("XGRAMMAR after 3");
        assertThat(server.requests().getLast().path("logit_bias").has("" + WRONG))
                .isTrue();
    }

    @Test
    void aServerThatRefusesTheGrammarIsAskedWithoutItAndOneThatRefusesAllIsAskedNoMore() throws InterruptedException {
        server.answers(exchange -> exchange.answer(400, "{\"error\":{\"message\":\"no\"}}"));

        var pulled = pull(new Form(-1), Sampling.GREEDY);

        assertThat(pulled.reason()).isEqualTo(StopReason.REFUSED);
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().getLast().has("structured_outputs")).isFalse();
    }

    @Test
    void anErrorOfTheRequestInsideAStreamIsNotAskedAgain() throws InterruptedException {
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data("{\"error\":{\"message\":\"no\",\"code\":400}}");
        });

        assertThat(pull(TokenMask.ALL, Sampling.GREEDY).reason()).isEqualTo(StopReason.REFUSED);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void neverMoreThan1024BiasesGoOut() throws InterruptedException {
        Map<Integer, Double> many =
                IntStream.range(0, 1024).boxed().collect(Collectors.toMap(id -> id, id -> id < 2 ? 0.01 : 1.0));
        var mask = new TokenMask() {
            @Override
            public long[] allowed() {
                var all = new long[TokenIds.VOCABULARY / 64];
                Arrays.fill(all, -1);
                // 1,088 control tokens, as where a header must go on.
                Arrays.fill(all, all.length - 17, all.length, 0);
                return all;
            }

            @Override
            public void accept(int token) {
                // The same everywhere.
            }
        };

        pull(mask, Sampling.GREEDY.withLogitBias(many));

        var bias = server.requests().getFirst().path("logit_bias");
        assertThat(bias).hasSize(1024);
        assertThat(bias.path("" + (TokenIds.VOCABULARY - 17 * 64)).asInt()).isEqualTo(-100);
        assertThat(bias.has("2")).isTrue();
    }

    private GenerationPull pull(TokenMask mask, Sampling sampling) throws InterruptedException {
        return GenerationPull.all(
                engine, new GenerationRequest("test", PROMPT, new int[0], sampling, 8, Set.of(), mask, ""));
    }

    private static String grammar(JsonNode request) {
        return request.path("structured_outputs").path("grammar").asText();
    }

    /// Takes everything but one token, and tells how much was said.
    private static final class Form implements TokenMask {
        private final int wrong;
        private int said;

        Form(int wrong) {
            this.wrong = wrong;
        }

        @Override
        public long @Nullable [] allowed() {
            return null;
        }

        @Override
        public boolean takes(int token) {
            return token != wrong;
        }

        @Override
        public void accept(int token) {
            said++;
        }

        @Override
        public String rest(GrammarNotation notation) {
            return notation + " after " + said;
        }
    }
}
