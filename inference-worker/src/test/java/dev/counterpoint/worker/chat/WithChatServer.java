package dev.counterpoint.worker.chat;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.chat.ChatEngine;
import dev.counterpoint.engine.chat.ChatOptions;
import dev.counterpoint.engine.chat.ReasoningStrategy;
import dev.counterpoint.engine.chat.probe.OperatorSettings;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.worker.output.OutputComposer;
import dev.counterpoint.worker.output.OutputPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/// An engine before servers that say what a test wrote down. What comes out is read as the worker reads it,
/// by the composer: `R` in the reasoning lane, `V` visible.
abstract class WithChatServer {
    static final List<ReasoningStrategy> NONE = List.of(ReasoningStrategy.NONE);
    static final FunctionTool WEATHER = new FunctionTool("weather", "Of a city", "{\"type\":\"object\"}", true);

    final FakeChatServer server = new FakeChatServer();
    final FakeChatServer other = new FakeChatServer();
    private final List<ChatEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(ChatEngine::close);
        server.close();
        other.close();
    }

    static PromptItem user() {
        return new PromptItem.User("2+2?");
    }

    static GenerationJob job(List<PromptItem> prompt) {
        return job(List.of(), ToolChoice.AUTO, null, 0).with(prompt);
    }

    static GenerationJob offering(ToolChoice choice) {
        return tools(List.of(WEATHER), choice);
    }

    static GenerationJob tools(List<FunctionTool> tools, ToolChoice choice) {
        return job(tools, choice, null, 0);
    }

    static GenerationJob formed(GenerationJob.ResponseFormat format) {
        return job(List.of(), ToolChoice.AUTO, format, 0);
    }

    static GenerationJob limited(int tokens) {
        return job(List.of(), ToolChoice.AUTO, null, tokens);
    }

    private static GenerationJob job(
            List<FunctionTool> tools, ToolChoice choice, GenerationJob.@Nullable ResponseFormat format, int max) {
        return new GenerationJob(
                List.of(user()),
                tools,
                choice,
                "medium",
                "2026-11-22",
                format,
                GenerationJob.Sampling.DEFAULT,
                max,
                ReasoningTerms.of("c"));
    }

    static GenerationRequest request(GenerationJob job, int[] prefix, int max) {
        return new GenerationRequest(
                "r", new int[] {1, 2}, prefix, Sampling.DEFAULT, max, Set.of(), TokenMask.ALL, "tenant", job);
    }

    final ChatEngine engine(List<ReasoningStrategy> strategies, boolean sendsSchema) {
        return engine(strategies, sendsSchema, List.of(server));
    }

    final ChatEngine engine(List<ReasoningStrategy> strategies, boolean sendsSchema, List<FakeChatServer> servers) {
        return engine(strategies, sendsSchema, servers, Duration.ofSeconds(30));
    }

    /// @param idle the longest time in which a server says nothing at all
    final ChatEngine engine(List<ReasoningStrategy> strategies, Duration idle) {
        return engine(strategies, false, List.of(server), idle);
    }

    /// Before a gpt-oss whose server leaves its Harmony in the text.
    final ChatEngine harmonyEngine() {
        return engine("gpt-oss-20b", List.of(), access(List.of(server), Duration.ofSeconds(30)), false);
    }

    private ChatEngine engine(
            List<ReasoningStrategy> strategies, boolean sendsSchema, List<FakeChatServer> servers, Duration idle) {
        return engine("up", strategies, access(servers, idle), sendsSchema);
    }

    private static UpstreamAccess access(List<FakeChatServer> servers, Duration idle) {
        var times = new UpstreamAccess.Timeouts(
                Duration.ofSeconds(5), Duration.ofSeconds(30), idle, Duration.ofMillis(200));
        return new UpstreamAccess(
                servers.stream().map(FakeChatServer::address).toList(), null, times, ChatEngine.HEALTH_PATH);
    }

    private ChatEngine engine(
            String model, List<ReasoningStrategy> strategies, UpstreamAccess access, boolean sendsSchema) {
        var usual = ChatOptions.Knowing.DEFAULT;
        var takes = new OperatorSettings.Takes(Optional.of(sendsSchema), false, Optional.empty(), Optional.empty());
        var settings = new OperatorSettings(null, List.of(), takes);
        var knowing = new ChatOptions.Knowing(settings, usual.questionTimeout(), usual.askInterval());
        var engine = new ChatEngine(new ChatOptions("m", model, access, 4, 4096, strategies, knowing, null));
        engines.add(engine);
        return engine;
    }

    /// What was said, as the worker's composer reads it.
    record Said(
            String told,
            int[] ids,
            StopReason reason,
            String detail,
            End.Reasoning reasoning,
            List<String> undeclared) {}

    final Said say(List<ReasoningStrategy> strategies, GenerationJob job) throws InterruptedException {
        return say(engine(strategies, false), request(job, new int[0], 1000));
    }

    static Said say(ChatEngine engine, GenerationRequest request) throws InterruptedException {
        awaitReady(engine);
        var pull = GenerationPull.all(engine, request);
        var names = new FunctionNames(
                request.requireJob().tools().stream().map(FunctionTool::name).toList());
        var composer = new OutputComposer(
                names,
                OutputComposer.Stops.at(),
                repair -> {
                    throw new AssertionError(repair);
                },
                false);
        var parts = new ArrayList<OutputPart>();
        for (int id : join(request.prefix(), pull.ids())) {
            composer.accept(id, null);
            parts.addAll(composer.take());
        }
        if (composer.tokens() > 0) {
            parts.addAll(composer.finish());
        }
        return new Said(
                told(parts),
                pull.ids(),
                pull.reason(),
                pull.stopped().detail(),
                composer.reasoning(),
                composer.undeclaredCalls());
    }

    static void awaitReady(ChatEngine engine) throws InterruptedException {
        while (engine.health().status() != EngineHealth.Status.READY) {
            Thread.onSpinWait();
        }
    }

    static int[] join(int[]... parts) {
        return List.of(parts).stream().flatMapToInt(IntStream::of).toArray();
    }

    static String told(List<OutputPart> parts) {
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
