package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whole streams in the shapes of real servers, with words of ours: `shapes/*.sse` begin with the place where the shape
/// was seen, the reasoning and the answer. Where that place shows chunks of reasoning only (LM Studio, llama-server,
/// Alibaba), or of the answer only (Together), the others follow their form. The model is of no known family, so text
/// that the server does not separate would be withheld.
@Timeout(60)
class ServerShapesTest {
    static Stream<Path> shapes() throws IOException, URISyntaxException {
        var folder = Objects.requireNonNull(ServerShapesTest.class.getResource("shapes"));
        try (var files = Files.list(Path.of(folder.toURI()))) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void reasoningAndAnswerAreToldAsTheServerTellsThem(Path shape) throws Exception {
        var stream = Files.readString(shape);

        var said = said(stream);

        assertThat(said)
                .isEqualTo(Map.of(
                        Channels.ANALYSIS, expected(stream, "reasoning"), Channels.FINAL, expected(stream, "answer")));
    }

    private static String expected(String stream, String what) {
        var line = ": " + what + " ";
        return stream.lines()
                .filter(each -> each.startsWith(line))
                .findFirst()
                .orElseThrow()
                .substring(line.length());
    }

    /// The text of each channel.
    private static Map<String, String> said(String stream) throws InterruptedException {
        try (var server = new FakeHttpServer(exchange -> handle(exchange, stream));
                var engine = engine(server)) {
            while (engine.health().status() != EngineHealth.Status.READY) {
                Thread.onSpinWait();
            }
            var pulled = GenerationPull.all(engine, request());
            assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
            var reader = new Reader();
            var parser = new HarmonyParser(Role.ASSISTANT);
            for (int token : pulled.ids()) {
                parser.accept(token, reader::hear);
            }
            return reader.texts;
        }
    }

    private static void handle(Exchange exchange, String stream) throws IOException {
        switch (exchange.target()) {
            case "GET /v1/models" -> exchange.answer(200, "{\"object\":\"list\",\"data\":[]}");
            case "POST /v1/chat/completions" -> {
                exchange.beginEvents();
                exchange.send(stream);
            }
            default -> exchange.answer(404, "{}");
        }
    }

    private static ChatEngine engine(FakeHttpServer server) {
        var access = new UpstreamAccess(
                List.of(server.address()), null, UpstreamAccess.Timeouts.DEFAULT, ChatEngine.HEALTH_PATH);
        var knowing = ChatOptions.Knowing.DEFAULT;
        return new ChatEngine(new ChatOptions("m", "mystery:7b", access, 1, 4096, List.of(), knowing, null));
    }

    private static GenerationRequest request() {
        var job = new GenerationJob(
                List.of(new PromptItem.User("2+2?")),
                List.of(),
                ToolChoice.AUTO,
                "medium",
                "2026-11-22",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                ReasoningTerms.of("c"));
        return new GenerationRequest(
                "r", new int[] {1, 2}, new int[0], Sampling.DEFAULT, 1000, Set.of(), TokenMask.ALL, "tenant", job);
    }

    private static final class Reader {
        private final Map<String, String> texts = new HashMap<>();
        private String channel = "";

        private void hear(HarmonyEvent event) {
            switch (event) {
                case HarmonyEvent.MessageStarted started -> channel = String.valueOf(started.channel());
                case HarmonyEvent.TextDelta(String text) -> texts.merge(channel, text, String::concat);
                case HarmonyEvent.MessageEnded _, HarmonyEvent.Repaired _ -> {
                    // The next message says what it is.
                }
            }
        }
    }
}
