package dev.counterpoint.worker.chat;

import static dev.counterpoint.worker.chat.FakeChatServer.call;
import static dev.counterpoint.worker.chat.FakeChatServer.content;
import static dev.counterpoint.worker.chat.FakeChatServer.finish;
import static dev.counterpoint.worker.chat.FakeChatServer.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.chat.ReasoningStrategy;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChatEngineTest extends WithChatServer {
    @Test
    void aPlainAnswerIsVisible() throws InterruptedException {
        server.types("Hi <|end|> \uD83D\uDE00!");

        var said = say(NONE, job(List.of(new PromptItem.User("Hello"))));

        assertThat(said.told()).isEqualTo("V final: Hi <|end|> \uD83D\uDE00!");
        assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.MISSING);
        assertThat(server.request().path("model").asText()).isEqualTo("up");
        assertThat(server.request().path("messages").toString())
                .isEqualTo("[{\"role\":\"user\",\"content\":\"Hello\"}]");
        assertThat(server.request().has("max_tokens")).isFalse();
    }

    @Test
    void aServerThatDoesNotStopTalkingIsAFailure() throws InterruptedException {
        server.says(content("{\"reasoning\":\"r\",\"more\":\"" + "x".repeat(300_000)), finish("stop"));

        var said = say(List.of(ReasoningStrategy.ENVELOPE), job(List.of(user())));

        assertThat(said.reason()).isEqualTo(StopReason.FAILED);
    }

    @Test
    void callsComeOneAfterTheOther() throws InterruptedException {
        server.says(
                content("Let me see. "),
                call(0, "c1", "weather", ""),
                call(0, "", "", "{\"city\":"),
                call(0, "", "", "\"Bonn\"}"),
                content("\n"),
                call(1, "c2", "weather", ""),
                finish("tool_calls"));

        var said = say(NONE, offering(new ToolChoice(ToolChoice.Mode.REQUIRED, null)));

        assertThat(said.told())
                .isEqualTo(
                        "V final: Let me see.  | V functions.weather: {\"city\":\"Bonn\"} | V functions.weather: {}");
        assertThat(said.ids()[said.ids().length - 1]).isEqualTo(SpecialTokens.CALL);
        assertThat(server.request().path("tool_choice").asText()).isEqualTo("required");
        assertThat(server.request()
                        .path("tools")
                        .path(0)
                        .path("function")
                        .path("parameters")
                        .toString())
                .isEqualTo("{\"type\":\"object\"}");
    }

    @Test
    void callsOfWhatNobodyDeclaredAreNotShown() throws InterruptedException {
        server.says(call(0, "c1", "rm -rf", "{}"), finish("tool_calls"));

        var said = say(NONE, offering(ToolChoice.AUTO));

        assertThat(said.told()).isEqualTo("R functions.rm__rf: {}");
        assertThat(said.undeclared()).containsExactly("rm__rf");
    }

    @Test
    void theCallsInsideAParallelCallAreCalls() throws InterruptedException {
        var uses = "{\"tool_uses\":[{\"recipient_name\":\"functions.weather\",\"parameters\":{\"a\":1}},"
                + "{\"recipient_name\":\"Weather\",\"parameters\":{}}]}";
        server.says(call(0, "c1", "multi_tool_use.parallel", uses), finish("tool_calls"));

        var said = say(NONE, offering(ToolChoice.AUTO));

        assertThat(said.told()).isEqualTo("V functions.weather: {\"a\":1} | V functions.weather: {}");
    }

    @Test
    void aForcedCallIsAskedForByName() throws InterruptedException {
        server.types("No.");

        var said = say(NONE, offering(new ToolChoice(ToolChoice.Mode.FUNCTION, "weather")));

        assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
        assertThat(server.request()
                        .path("tool_choice")
                        .path("function")
                        .path("name")
                        .asText())
                .isEqualTo("weather");
    }

    @Test
    void theConversationGoesUnderTheRolesThatAllTemplatesKnow() throws InterruptedException {
        server.types("ok");

        say(
                List.of(ReasoningStrategy.THINK, ReasoningStrategy.NONE),
                job(List.of(
                        new PromptItem.Instructions("Be brief"),
                        user(),
                        new PromptItem.Reasoning("look it up"),
                        new PromptItem.Assistant("One moment.", true),
                        new PromptItem.Call("c1", "weather", "{}"),
                        new PromptItem.Call("c2", "weather", "{}"),
                        new PromptItem.CallOutput("c2", "weather", "rain"),
                        new PromptItem.CallOutput("c1", "weather", "sun"))));

        assertThat(server.request().path("messages").toString())
                .isEqualTo("[{\"role\":\"system\",\"content\":\"Be brief\"},{\"role\":\"user\",\"content\":\"2+2?\"},"
                        + "{\"role\":\"assistant\",\"content\":\"<think>\\nlook it up\\n</think>\\n\\nOne moment.\","
                        + "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"weather\","
                        + "\"arguments\":\"{}\"}},{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":"
                        + "\"weather\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"content\":\"sun\","
                        + "\"tool_call_id\":\"c1\"},{\"role\":\"tool\",\"content\":\"rain\",\"tool_call_id\":\"c2\"}]");
    }

    @Test
    void aLimitIsKeptInOurTokens() throws InterruptedException {
        server.types("one two three four five six");

        var said = say(engine(NONE, false), request(limited(8), new int[0], 8));

        assertThat(said.reason()).isEqualTo(StopReason.LENGTH);
        assertThat(said.ids()).hasSize(8);
        assertThat(server.request().path("max_tokens").asInt()).isEqualTo(8);
    }

    @Test
    void theServersOwnLimitCutsOff() throws InterruptedException {
        server.says(content("{\"reasoning\":\"r\",\"answer\":\"fo"), finish("length"));

        var said = say(List.of(ReasoningStrategy.ENVELOPE), job(List.of(user())));

        assertThat(said.reason()).isEqualTo(StopReason.LENGTH);
        assertThat(said.told()).isEqualTo("R analysis untold: {\"reasoning\":\"r\",\"answer\":\"fo");
    }

    @Test
    void anotherServerIsTriedUntilTheFirstWord() throws InterruptedException {
        var broken = new AtomicBoolean(true);
        for (var either : List.of(server, other)) {
            either.answers(exchange -> {
                if (broken.getAndSet(false)) {
                    exchange.answer(503, "{}");
                } else {
                    exchange.beginEvents();
                    exchange.data(content("ok"));
                    exchange.data(finish("stop"));
                }
            });
        }
        var engine = engine(NONE, false, List.of(server, other));

        var said = say(engine, request(job(List.of(user())), new int[0], 100));

        assertThat(said.told()).isEqualTo("V final: ok");
    }

    @Test
    void aStreamThatBreaksAfterItsFirstWordIsAFailure() throws InterruptedException {
        for (var either : List.of(server, other)) {
            either.answers(exchange -> {
                exchange.beginEvents();
                exchange.data(content("secret"));
                exchange.cut();
            });
        }
        var engine = engine(NONE, false, List.of(server, other));

        var said = say(engine, request(job(List.of(user())), new int[0], 100));

        assertThat(said.reason()).isEqualTo(StopReason.FAILED);
        assertThat(server.requests().size() + other.requests().size()).isEqualTo(1);
        assertThat(said.detail()).doesNotContain("secret");
    }

    @Test
    void anErrorInTheStreamAndAnEndWithoutAWordAreFailures() throws InterruptedException {
        server.says(node().set("error", node().put("message", "secret"))).says();
        var engine = engine(NONE, false, List.of(server));

        assertThat(say(engine, request(job(List.of(user())), new int[0], 100)).reason())
                .isEqualTo(StopReason.FAILED);
        assertThat(say(engine, request(job(List.of(user())), new int[0], 100)).reason())
                .isEqualTo(StopReason.FAILED);
    }

    @Test
    void toCancelEndsTheConnection() throws InterruptedException {
        var gone = new CountDownLatch(1);
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data(content("word "));
            exchange.awaitGone();
            gone.countDown();
        });
        var engine = engine(NONE, false, List.of(server));
        awaitReady(engine);

        try (var generation = new PulledGeneration(engine, request(job(List.of(user())), new int[0], 100))) {
            while (!(generation.next() instanceof Step.Token)) {
                assertThat(generation).isNotNull();
            }
            generation.cancel();
            gone.await();
            GenerationPull.all(generation); // a token may have been under way
            assertThat(generation.next()).isEqualTo(new Step.Stopped(StopReason.CANCELLED));
        }
        assertThat(engine.health().freeSlots()).isEqualTo(4);
    }

    @Test
    void whatAnEarlierAttemptOnlyThoughtIsFollowedByANewBeginning() throws InterruptedException {
        server.types("<think>anew</think>a");
        var tokenizer = HarmonyTokenizer.shared();
        int[] prefix = join(
                new int[] {SpecialTokens.CHANNEL},
                tokenizer.encode("analysis"),
                new int[] {SpecialTokens.MESSAGE},
                tokenizer.encode("ear"));

        var said = say(engine(List.of(ReasoningStrategy.THINK), false), request(job(List.of(user())), prefix, 100));

        assertThat(said.told()).isEqualTo("R analysis: ear | R analysis: anew | V final: a");
    }

    @Test
    void whatItCannotDoIsRefused() {
        var engine = engine(NONE, false);
        var plain = request(job(List.of(user())), new int[0], 100);

        assertThatThrownBy(() -> new PulledGeneration(
                        engine,
                        new GenerationRequest(
                                "r", new int[] {1}, new int[0], Sampling.DEFAULT, 10, Set.of(), TokenMask.ALL, "")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PulledGeneration(
                        engine,
                        new GenerationRequest(
                                "r",
                                plain.prompt(),
                                plain.prefix(),
                                Sampling.DEFAULT.withTopLogprobs(1),
                                10,
                                Set.of(),
                                TokenMask.ALL,
                                "",
                                plain.job())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
