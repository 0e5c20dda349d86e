package dev.counterpoint.summarizer.summarise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.chat.ChatEngine;
import dev.counterpoint.engine.chat.ChatOptions;
import dev.counterpoint.engine.chat.ReasoningStrategy;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/// What [SafeSummaryPropertyTest] proves of reasoning holds of the reasoning of models that are not Harmony, as it
/// comes out of the engine for them: their text begins within it, or is Harmony that no server took apart.
class ChatReasoningPropertyTest {
    /// How a model writes its text: around its reasoning.
    private enum Way {
        OPENED_BY_ITS_TEMPLATE("other", List.of(ReasoningStrategy.THINK_OPEN), "", "\n</think>\n\n"),
        RAW_HARMONY(
                "gpt-oss-20b",
                List.of(),
                "<|channel|>analysis<|message|>",
                "<|end|><|start|>assistant<|channel|>final<|message|>");

        private final String model;
        private final List<ReasoningStrategy> told;
        private final String before;
        private final String behind;

        Way(String model, List<ReasoningStrategy> told, String before, String behind) {
            this.model = model;
            this.told = told;
            this.before = before;
            this.behind = behind;
        }
    }

    private static final String ANSWER = "Rye.";
    private static final List<ChatEngine> ENGINES = new ArrayList<>();
    private static final FakeHttpServer SERVER = new FakeHttpServer(ChatReasoningPropertyTest::handle);
    /// What the model says next, in these pieces.
    private static volatile List<String> said = List.of();

    @BeforeContainer
    static void start() {
        for (var way : Way.values()) {
            var access = new UpstreamAccess(
                    List.of(SERVER.address()), null, UpstreamAccess.Timeouts.DEFAULT, ChatEngine.HEALTH_PATH);
            var knowing = ChatOptions.Knowing.DEFAULT.withoutTrial();
            var engine =
                    new ChatEngine(new ChatOptions(way.model, way.model, access, 1, 8192, way.told, knowing, null));
            ENGINES.add(engine);
            while (engine.health().status() != EngineHealth.Status.READY) {
                Thread.onSpinWait();
            }
        }
    }

    @AfterContainer
    static void stop() {
        ENGINES.forEach(ChatEngine::close);
        SERVER.close();
    }

    @Property(tries = 100)
    void theSummaryNeverShowsControlCharactersTagsOrTokens(@ForAll Way way, @ForAll("reasoning") String text)
            throws InterruptedException {
        for (var sentence : summary(way, List.of(text))) {
            assertThat(sentence.text())
                    .doesNotContain("<|", "</", "`", "KV-7731")
                    .doesNotContainPattern("[\\p{Cf}\\p{Co}\\p{Cs}\0]");
        }
    }

    @Property(tries = 100)
    void theSummaryIsTheSameForEveryCut(@ForAll Way way, @ForAll("reasoning") String text) throws InterruptedException {
        var characters = text.codePoints().mapToObj(Character::toString).toList();

        assertThat(summary(way, characters)).isEqualTo(summary(way, List.of(text)));
    }

    @Provide
    Arbitrary<String> reasoning() {
        return Arbitraries.of(SafeSummaryPropertyTest.FRAGMENTS)
                .list()
                .ofMaxSize(40)
                .map(fragments -> "So. " + String.join("", fragments) + " Well.");
    }

    private static List<Sentence> summary(Way way, List<String> reasoning) throws InterruptedException {
        var pieces = new ArrayList<>(List.of(way.before));
        pieces.addAll(reasoning);
        pieces.addAll(List.of(way.behind, ANSWER));
        said = pieces;
        var tokens = GenerationPull.all(ENGINES.get(way.ordinal()), request()).ids();
        var summary = new SafeSummary(SafeSummaryPropertyTest.CONFIDENTIAL, Detail.DETAILED);
        var sentences = new ArrayList<Sentence>();
        var reader = new Reader(summary, sentences);
        var parser = new HarmonyParser(Role.ASSISTANT);
        for (int token : tokens) {
            parser.accept(token, reader::hear);
        }
        parser.finish(reader::hear);
        return sentences;
    }

    /// Gives the analysis messages to the summary, as the service does.
    private static final class Reader {
        private final SafeSummary summary;
        private final List<Sentence> sentences;
        private boolean analysis;

        private Reader(SafeSummary summary, List<Sentence> sentences) {
            this.summary = summary;
            this.sentences = sentences;
        }

        private void hear(HarmonyEvent event) {
            switch (event) {
                case HarmonyEvent.MessageStarted started -> analysis = Channels.ANALYSIS.equals(started.channel());
                case HarmonyEvent.TextDelta(String text) when analysis -> sentences.addAll(summary.accept(text));
                case HarmonyEvent.MessageEnded _ when analysis -> sentences.addAll(summary.endMessage());
                case HarmonyEvent.TextDelta _, HarmonyEvent.MessageEnded _, HarmonyEvent.Repaired _ -> {
                    // No reasoning.
                }
            }
        }
    }

    private static GenerationRequest request() {
        var job = new GenerationJob(
                List.of(new PromptItem.User("Which bread?")),
                List.of(),
                ToolChoice.AUTO,
                "medium",
                "2026-11-22",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                ReasoningTerms.of("c"));
        return new GenerationRequest(
                "r", new int[] {1, 2}, new int[0], Sampling.DEFAULT, 8000, Set.of(), TokenMask.ALL, "tenant", job);
    }

    private static void handle(Exchange exchange) throws IOException, InterruptedException {
        switch (exchange.target()) {
            case "GET /v1/models" -> exchange.answer(200, "{\"object\":\"list\",\"data\":[]}");
            case "POST /v1/chat/completions" -> {
                exchange.beginEvents();
                for (var piece : said) {
                    delta(exchange, piece, null);
                }
                delta(exchange, "", "stop");
                exchange.data("[DONE]");
            }
            default -> exchange.answer(404, "{}");
        }
    }

    private static void delta(Exchange exchange, String piece, @Nullable String finish) throws IOException {
        var chunk = JsonNodeFactory.instance.objectNode();
        var choice = chunk.putArray("choices").addObject().put("finish_reason", finish);
        choice.putObject("delta").put("content", piece);
        exchange.data(chunk);
    }
}
