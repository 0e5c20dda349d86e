package dev.counterpoint.worker.engine.chat;

import static dev.counterpoint.worker.engine.chat.FakeChatServer.call;
import static dev.counterpoint.worker.engine.chat.FakeChatServer.content;
import static dev.counterpoint.worker.engine.chat.FakeChatServer.delta;
import static dev.counterpoint.worker.engine.chat.FakeChatServer.finish;
import static dev.counterpoint.worker.engine.chat.FakeChatServer.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.harmony.FunctionNames;
import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.SpecialTokens;
import dev.counterpoint.worker.engine.EngineHealth;
import dev.counterpoint.worker.engine.GenerationRequest;
import dev.counterpoint.worker.engine.Pull;
import dev.counterpoint.worker.engine.Sampling;
import dev.counterpoint.worker.engine.Step;
import dev.counterpoint.worker.engine.StopReason;
import dev.counterpoint.worker.engine.TokenMask;
import dev.counterpoint.worker.engine.remote.RemoteOptions;
import dev.counterpoint.worker.engine.remote.Servers;
import dev.counterpoint.worker.output.OutputComposer;
import dev.counterpoint.worker.output.OutputPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What comes out is read as the worker reads it, by the composer: `R` in the reasoning lane, `V`
/// visible.
@Timeout(60)
class ChatEngineTest {
    private static final List<Strategy> NONE = List.of(Strategy.NONE);
    private static final FunctionTool WEATHER = new FunctionTool("weather", "Of a city", "{\"type\":\"object\"}", true);

    private final FakeChatServer server = new FakeChatServer();
    private final FakeChatServer other = new FakeChatServer();
    private final List<ChatEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(ChatEngine::close);
        server.close();
        other.close();
    }

    @Test
    void aPlainAnswerIsVisible() throws InterruptedException {
        server.types("Hi <|end|> \uD83D\uDE00!");

        var said = say(NONE, job(List.of(new PromptItem.User("Hello"))));

        assertThat(said.told).isEqualTo("V final: Hi <|end|> \uD83D\uDE00!");
        assertThat(said.reason).isEqualTo(StopReason.STOP_TOKEN);
        assertThat(said.reasoning).isEqualTo(End.Reasoning.MISSING);
        assertThat(server.request().path("model").asText()).isEqualTo("up");
        assertThat(server.request().path("messages").toString())
                .isEqualTo("[{\"role\":\"user\",\"content\":\"Hello\"}]");
        assertThat(server.request().has("max_tokens")).isFalse();
    }

    @Test
    void anEnvelopeIsAskedForAndOpened() throws InterruptedException {
        server.types("{\"reasoning\":\"2+2\",\"answer\":\"4\",\"score\":1}");

        var said = say(
                List.of(Strategy.ENVELOPE),
                job(List.of(new PromptItem.Instructions("Be brief"), new PromptItem.Instructions("Be kind"), user())));

        assertThat(said.told).isEqualTo("R analysis: 2+2 | V final: 4 | V final: {\"score\":1}");
        assertThat(said.reasoning).isEqualTo(End.Reasoning.TOLD);
        assertThat(server.request().path("messages").path(0).path("content").asText())
                .startsWith("Be brief\n\nBe kind\n\nAnswer with one JSON object")
                .contains("\"reasoning\"", "\"answer\"");
    }

    @Test
    void anEnvelopeWithASchemaIsSentWhereTheServerTakesOne() throws InterruptedException {
        server.types("{\"reasoning\":\"r\",\"answer\":{\"n\":4}}");
        var format = new GenerationJob.ResponseFormat("form", null, "{\"type\":\"object\"}", true);

        var said = say(engine(List.of(Strategy.ENVELOPE), true), request(formed(format), new int[0], 1000));

        assertThat(said.told).isEqualTo("R analysis: r | V final: {\"n\":4}");
        var schema =
                server.request().path("response_format").path("json_schema").path("schema");
        assertThat(schema.path("properties").path("answer").toString()).isEqualTo("{\"type\":\"object\"}");
        assertThat(schema.path("required").toString()).isEqualTo("[\"reasoning\",\"answer\"]");
        assertThat(server.request().path("messages").path(0).path("content").asText())
                .contains("matches this schema: {\"type\":\"object\"}");
    }

    @Test
    void theReportOfTheReasoningNeverSurfacesAsACall() throws InterruptedException {
        server.says(
                call(0, "c1", "report_reasoning", ""),
                call(0, "", "", "{\"reaso"),
                call(0, "", "", "ning\":\"I think\\n"),
                call(0, "", "", "so\"}"),
                finish("tool_calls"));
        server.types("Yes.");

        var said = say(List.of(Strategy.REPORT_REASONING), offering(ToolChoice.AUTO));

        assertThat(said.told).isEqualTo("R analysis: I think\nso | V final: Yes.");
        assertThat(said.reasoning).isEqualTo(End.Reasoning.TOLD);
        assertThat(server.requests().getFirst().path("tools").toString())
                .contains("report_reasoning")
                .doesNotContain("weather");
        assertThat(server.requests().getFirst().path("tool_choice").toString()).contains("report_reasoning");
        assertThat(server.request().path("tools").toString())
                .contains("weather")
                .doesNotContain("report_reasoning");
        assertThat(server.request().path("messages").toString()).contains("{\\\"reasoning\\\":\\\"I think\\\\nso\\\"}");
    }

    @Test
    void aModelThatDoesNotReportIsNotBelieved() throws InterruptedException {
        server.types("Thinking aloud.").types("Yes.");

        var said = say(List.of(Strategy.REPORT_REASONING), job(List.of(user())));

        assertThat(said.told).isEqualTo("R analysis: Thinking aloud. | R analysis untold: Yes.");
        assertThat(said.reasoning).isEqualTo(End.Reasoning.UNTOLD);
    }

    @Test
    void aFunctionOfTheClientsOfTheSameNameIsTheClients() throws InterruptedException {
        server.says(call(0, "c1", "report_reasoning", "{\"a\":1}"), finish("tool_calls"));

        var job = tools(List.of(new FunctionTool("report_reasoning", "", null, false)), ToolChoice.AUTO);
        var said = say(List.of(Strategy.REPORT_REASONING), job);

        assertThat(said.told).isEqualTo("V functions.report_reasoning: {\"a\":1}");
    }

    @Test
    void markersAndThoughtsAreTakenOut() throws InterruptedException {
        server.types("<<REASONING>>r<</REASONING>>a").types("<think>\nr</think>\n\na");

        var marked = say(List.of(Strategy.MARKERS), job(List.of(user())));
        var thought = say(List.of(Strategy.THINK), job(List.of(user())));

        assertThat(marked.told).isEqualTo("R analysis: r | V final: a");
        assertThat(thought.told).isEqualTo("R analysis: \nr | V final: a");
        assertThat(server.requests().getFirst().toString()).contains("<<REASONING>>");
        assertThat(server.request().path("messages")).hasSize(1);
    }

    @Test
    void reasoningThatTheServerTellsApartIsNeverTheAnswer() throws InterruptedException {
        server.says(
                delta(node().put("reasoning_content", "th").putNull("content")),
                delta(node().put("reasoning", "ink")),
                content("an"),
                content("swer"),
                finish("stop"));

        var said = say(List.of(Strategy.THINK), job(List.of(user())));

        assertThat(said.told).isEqualTo("R analysis: think | V final: answer");
    }

    @Test
    void theReasonsAreAskedForAfterwardsWhereThereWereNone() throws InterruptedException {
        server.types("Paris.").types("It is the capital.");

        var said = say(List.of(Strategy.MARKERS, Strategy.POST_HOC), job(List.of(user())));

        assertThat(said.told).isEqualTo("V final: Paris. | R analysis afterwards: It is the capital.");
        assertThat(said.reasoning).isEqualTo(End.Reasoning.AFTERWARDS);
        assertThat(server.request().path("messages").toString()).contains("Paris.", "Given the answer above");
        assertThat(server.request().path("max_tokens").asInt()).isPositive();
    }

    @Test
    void anAnswerIsWholeThoughItsReasonsAreNotToBeHad() throws InterruptedException {
        server.types("Paris.").answers(exchange -> exchange.answer(400, "{}"));

        var said = say(List.of(Strategy.POST_HOC), job(List.of(user())));

        assertThat(said.told).isEqualTo("V final: Paris.");
        assertThat(said.reason).isEqualTo(StopReason.STOP_TOKEN);
        assertThat(said.reasoning).isEqualTo(End.Reasoning.MISSING);
    }

    @Test
    void aRequestThatTurnsReasoningOffIsNotAskedForAny() throws InterruptedException {
        server.types("Paris.");
        var job = job(List.of(user()));

        var said = say(
                List.of(Strategy.ENVELOPE, Strategy.POST_HOC),
                job.with(ReasoningTerms.of("c").withTokensMax(0)));

        assertThat(said.told).isEqualTo("V final: Paris.");
        assertThat(server.requests())
                .singleElement()
                .satisfies(request -> assertThat(request.path("messages")).hasSize(1));
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

        assertThat(said.told)
                .isEqualTo(
                        "V final: Let me see.  | V functions.weather: {\"city\":\"Bonn\"} | V functions.weather: {}");
        assertThat(said.ids[said.ids.length - 1]).isEqualTo(SpecialTokens.CALL);
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

        assertThat(said.told).isEqualTo("R functions.rm__rf: {}");
    }

    @Test
    void aCallThatWasForcedAndDoesNotComeIsAFailure() throws InterruptedException {
        server.types("No.");

        var said = say(NONE, offering(new ToolChoice(ToolChoice.Mode.FUNCTION, "weather")));

        assertThat(said.reason).isEqualTo(StopReason.FAILED);
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
                List.of(Strategy.THINK, Strategy.NONE),
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
                        + "\"weather\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"content\":\"rain\","
                        + "\"tool_call_id\":\"c2\"},{\"role\":\"tool\",\"content\":\"sun\",\"tool_call_id\":\"c1\"}]");
    }

    @Test
    void aLimitIsKeptInOurTokens() throws InterruptedException {
        server.types("one two three four five six");

        var said = say(engine(NONE, false), request(limited(8), new int[0], 8));

        assertThat(said.reason).isEqualTo(StopReason.LENGTH);
        assertThat(said.ids).hasSize(8);
        assertThat(server.request().path("max_tokens").asInt()).isEqualTo(8);
    }

    @Test
    void theServersOwnLimitCutsOff() throws InterruptedException {
        server.says(content("{\"reasoning\":\"r\",\"answer\":\"fo"), finish("length"));

        var said = say(List.of(Strategy.ENVELOPE), job(List.of(user())));

        assertThat(said.reason).isEqualTo(StopReason.LENGTH);
        assertThat(said.told).isEqualTo("R analysis: r | V final: fo");
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

        assertThat(said.told).isEqualTo("V final: ok");
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

        assertThat(said.reason).isEqualTo(StopReason.FAILED);
        assertThat(server.requests().size() + other.requests().size()).isEqualTo(1);
        assertThat(said.detail).doesNotContain("secret");
    }

    @Test
    void anErrorInTheStreamAndAnEndWithoutAReasonAreFailures() throws InterruptedException {
        server.says(node().set("error", node().put("message", "secret"))).says(content("x"));
        var engine = engine(NONE, false, List.of(server));

        assertThat(say(engine, request(job(List.of(user())), new int[0], 100)).reason)
                .isEqualTo(StopReason.FAILED);
        assertThat(say(engine, request(job(List.of(user())), new int[0], 100)).reason)
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

        try (var generation = engine.start(request(job(List.of(user())), new int[0], 100))) {
            while (!(generation.next() instanceof Step.Token)) {
                assertThat(generation).isNotNull();
            }
            generation.cancel();
            gone.await();
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

        var said = say(engine(List.of(Strategy.THINK), false), request(job(List.of(user())), prefix, 100));

        assertThat(said.told).isEqualTo("R analysis: ear | R analysis: anew | V final: a");
    }

    @Test
    void whatItCannotDoIsRefused() {
        var engine = engine(NONE, false);
        var plain = request(job(List.of(user())), new int[0], 100);

        assertThatThrownBy(() -> engine.start(new GenerationRequest(
                        "r", new int[] {1}, new int[0], Sampling.DEFAULT, 10, Set.of(), TokenMask.ALL, "")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> engine.start(new GenerationRequest(
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

    private static PromptItem user() {
        return new PromptItem.User("2+2?");
    }

    private static GenerationJob job(List<PromptItem> prompt) {
        return job(prompt, List.of(), ToolChoice.AUTO, null, 0);
    }

    private static GenerationJob offering(ToolChoice choice) {
        return tools(List.of(WEATHER), choice);
    }

    private static GenerationJob tools(List<FunctionTool> tools, ToolChoice choice) {
        return job(List.of(user()), tools, choice, null, 0);
    }

    private static GenerationJob formed(GenerationJob.ResponseFormat format) {
        return job(List.of(user()), List.of(), ToolChoice.AUTO, format, 0);
    }

    private static GenerationJob limited(int tokens) {
        return job(List.of(user()), List.of(), ToolChoice.AUTO, null, tokens);
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    private static GenerationJob job(
            List<PromptItem> prompt,
            List<FunctionTool> tools,
            ToolChoice choice,
            GenerationJob.@Nullable ResponseFormat format,
            int max) {
        return new GenerationJob(
                prompt,
                tools,
                choice,
                "medium",
                "2026-11-22",
                format,
                GenerationJob.Sampling.DEFAULT,
                max,
                ReasoningTerms.of("c"));
    }

    private static GenerationRequest request(GenerationJob job, int[] prefix, int max) {
        return new GenerationRequest(
                "r", new int[] {1, 2}, prefix, Sampling.DEFAULT, max, Set.of(), TokenMask.ALL, "tenant", job);
    }

    private ChatEngine engine(List<Strategy> strategies, boolean sendsSchema) {
        return engine(strategies, sendsSchema, List.of(server));
    }

    private ChatEngine engine(List<Strategy> strategies, boolean sendsSchema, List<FakeChatServer> servers) {
        var times = new RemoteOptions.Times(
                Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(200));
        var access = new Servers.Access(
                servers.stream().map(FakeChatServer::address).toList(), null, times, ChatEngine.HEALTH_PATH);
        var engine = new ChatEngine(new ChatOptions("m", "up", access, 4, 4096, strategies, sendsSchema, null));
        engines.add(engine);
        return engine;
    }

    /// What was said, as the worker's composer reads it.
    private record Said(String told, int[] ids, StopReason reason, String detail, End.Reasoning reasoning) {}

    private Said say(List<Strategy> strategies, GenerationJob job) throws InterruptedException {
        return say(engine(strategies, false), request(job, new int[0], 1000));
    }

    private static Said say(ChatEngine engine, GenerationRequest request) throws InterruptedException {
        awaitReady(engine);
        var pull = Pull.all(engine, request);
        var names = new FunctionNames(
                request.requireJob().tools().stream().map(FunctionTool::name).toList());
        var composer = new OutputComposer(
                names,
                List.of(),
                repair -> {
                    throw new AssertionError(repair);
                },
                false);
        var parts = new ArrayList<OutputPart>();
        for (int id : join(request.prefix(), pull.ids())) {
            parts.addAll(composer.accept(id, null));
        }
        if (composer.tokens() > 0) {
            parts.addAll(composer.finish());
        }
        return new Said(told(parts), pull.ids(), pull.reason(), pull.stopped().detail(), composer.reasoning());
    }

    private static void awaitReady(ChatEngine engine) throws InterruptedException {
        while (engine.health().status() != EngineHealth.Status.READY) {
            Thread.onSpinWait();
        }
    }

    private static int[] join(int[]... parts) {
        return List.of(parts).stream().flatMapToInt(IntStream::of).toArray();
    }

    private static String told(List<OutputPart> parts) {
        var told = new StringBuilder();
        for (var part : parts) {
            if (part instanceof OutputPart.Body(int _, Lane lane, var delta)) {
                var header = delta.header();
                if (header != null) {
                    told.append(told.isEmpty() ? "" : " | ").append(lane == Lane.VISIBLE ? "V " : "R ");
                    told.append(header.recipient() == null ? header.channel() : header.recipient());
                    boolean kind = header.recipient() == null && header.contentType() != null;
                    told.append(kind ? " " + header.contentType() : "").append(": ");
                }
                told.append(delta.text());
            }
        }
        return told.toString();
    }
}
