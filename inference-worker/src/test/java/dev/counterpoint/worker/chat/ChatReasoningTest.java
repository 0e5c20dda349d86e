package dev.counterpoint.worker.chat;

import static dev.counterpoint.worker.chat.FakeChatServer.call;
import static dev.counterpoint.worker.chat.FakeChatServer.content;
import static dev.counterpoint.worker.chat.FakeChatServer.delta;
import static dev.counterpoint.worker.chat.FakeChatServer.finish;
import static dev.counterpoint.worker.chat.FakeChatServer.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.chat.ChatEngine;
import dev.counterpoint.engine.chat.ReasoningStrategy;
import dev.counterpoint.engine.testkit.PulledGeneration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChatReasoningTest extends WithChatServer {
    @Test
    void anEnvelopeIsAskedForAndOpened() throws InterruptedException {
        server.types("{\"reasoning\":\"2+2\",\"answer\":\"4\",\"score\":1}");

        var said = say(
                List.of(ReasoningStrategy.ENVELOPE),
                job(List.of(new PromptItem.Instructions("Be brief"), new PromptItem.Instructions("Be kind"), user())));

        assertThat(said.told()).isEqualTo("R analysis: 2+2 | V final: 4 | V final extra: {\"score\":1}");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.TOLD);
        assertThat(server.request().path("messages").path(0).path("content").asText())
                .startsWith("Be brief\n\nBe kind\n\nAnswer with one JSON object")
                .contains("\"reasoning\"", "\"answer\"");
    }

    @Test
    @DisplayName("F6 a schema of the client's own goes before an envelope where its server takes it")
    void aSchemaOfTheClientsGoesBeforeAnEnvelope() throws InterruptedException {
        server.types("{\"n\":4}");
        var format = new GenerationJob.ResponseFormat("form", null, "{\"type\":\"object\"}", true);

        var said = say(engine(List.of(ReasoningStrategy.ENVELOPE), true), request(formed(format), new int[0], 1000));

        assertThat(said.told()).isEqualTo("V final: {\"n\":4}");
        var form = server.request().path("response_format").path("json_schema");
        assertThat(form.path("name").asText()).isEqualTo("form");
        assertThat(form.path("schema").toString()).isEqualTo("{\"type\":\"object\"}");
        assertThat(server.request().path("messages").path(0).path("content").asText())
                .contains("matches this schema: {\"type\":\"object\"}")
                .doesNotContain("reasoning");
    }

    @Test
    void anEnvelopeIsSentAsASchemaWhereTheServerTakesOne() throws InterruptedException {
        server.types("{\"reasoning\":\"r\",\"answer\":{\"n\":4}}");
        var format = new GenerationJob.ResponseFormat("json_object", null, null, true);

        var said = say(engine(List.of(ReasoningStrategy.ENVELOPE), true), request(formed(format), new int[0], 1000));

        assertThat(said.told()).isEqualTo("R analysis: r | V final: {\"n\":4}");
        var schema =
                server.request().path("response_format").path("json_schema").path("schema");
        assertThat(schema.path("properties").path("answer").toString()).isEqualTo("{\"type\":\"object\"}");
        assertThat(schema.path("required").toString()).isEqualTo("[\"reasoning\",\"answer\"]");
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

        var said = say(List.of(ReasoningStrategy.REPORT_REASONING), offering(ToolChoice.AUTO));

        assertThat(said.told()).isEqualTo("R analysis: I think\nso | V final: Yes.");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.TOLD);
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

        var said = say(List.of(ReasoningStrategy.REPORT_REASONING), job(List.of(user())));

        assertThat(said.told()).isEqualTo("R analysis: Thinking aloud. | R analysis untold: Yes.");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.UNTOLD);
    }

    @Test
    void aFunctionOfTheClientsOfTheSameNameIsTheClients() throws InterruptedException {
        server.says(call(0, "c1", "report_reasoning", "{\"a\":1}"), finish("tool_calls"));

        var job = tools(List.of(new FunctionTool("report_reasoning", "", null, false)), ToolChoice.AUTO);
        var said = say(List.of(ReasoningStrategy.REPORT_REASONING), job);

        assertThat(said.told()).isEqualTo("V functions.report_reasoning: {\"a\":1}");
    }

    @Test
    void markersAndThoughtsAreTakenOut() throws InterruptedException {
        server.types("<<REASONING>>r<</REASONING>>a").types("<think>\nr</think>\n\na");

        var marked = say(List.of(ReasoningStrategy.MARKERS), job(List.of(user())));
        var thought = say(List.of(ReasoningStrategy.THINK), job(List.of(user())));

        assertThat(marked.told()).isEqualTo("R analysis: r | V final: a");
        assertThat(thought.told()).isEqualTo("R analysis: \nr | V final: a");
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

        var said = say(List.of(ReasoningStrategy.THINK), job(List.of(user())));

        assertThat(said.told()).isEqualTo("R analysis: think | V final: answer");
    }

    @Test
    void theReasonsAreAskedForAfterwardsWhereThereWereNone() throws InterruptedException {
        server.types("Paris.").types("It is the capital.");

        var said = say(List.of(ReasoningStrategy.MARKERS, ReasoningStrategy.POST_HOC), job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: Paris. | R analysis afterwards: It is the capital.");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.AFTERWARDS);
        assertThat(server.request().path("messages").toString()).contains("Paris.", "Given the answer above");
        assertThat(server.request().path("max_tokens").asInt()).isPositive();
    }

    @Test
    @DisplayName("what the upstream gets: a question afterwards without envelope, form and tools, and counted")
    void theQuestionAfterwardsIsPlainAndCounted() throws InterruptedException {
        server.types("Paris.").types("It is the capital.");
        var engine =
                engine(List.of(ReasoningStrategy.ENVELOPE, ReasoningStrategy.THINK, ReasoningStrategy.POST_HOC), true);

        assertThat(furtherPromptTokens(engine, offering(ToolChoice.AUTO))).isBetween(20, 60);
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().getFirst().toString()).contains("\"reasoning\\\"", "weather");
        assertThat(server.request().toString()).doesNotContain("reasoning\\\"", "weather", "response_format");
        assertThat(server.request().path("messages")).hasSize(3);
    }

    @Test
    @DisplayName("what the upstream gets: the question for a report is counted, and one question alone is not")
    void theQuestionForAReportIsCounted() throws InterruptedException {
        server.says(call(0, "c1", "report_reasoning", "{\"reasoning\":\"r\"}"), finish("tool_calls"));
        server.types("Yes.").types("Yes.");

        assertThat(furtherPromptTokens(
                        engine(List.of(ReasoningStrategy.REPORT_REASONING), false), job(List.of(user()))))
                .isBetween(20, 60);
        assertThat(furtherPromptTokens(engine(List.of(ReasoningStrategy.THINK), false), job(List.of(user()))))
                .isZero();
    }

    private static int furtherPromptTokens(ChatEngine engine, GenerationJob job) throws InterruptedException {
        awaitReady(engine);
        try (var generation = new PulledGeneration(engine, request(job, new int[0], 1000))) {
            while (!(generation.next() instanceof Step.Stopped)) {
                assertThat(generation.cachedTokens()).isZero();
            }
            return generation.furtherPromptTokens();
        }
    }

    @Test
    void reasonsThatDoNotFitAnyMoreAreLeftOutAndNotTheAnswersEnd() throws InterruptedException {
        server.types("Paris.").types("It is the capital of the country, and has been so for a very long time.");

        var said = say(engine(List.of(ReasoningStrategy.POST_HOC), false), request(limited(64), new int[0], 64));

        assertThat(said.told()).startsWith("V final: Paris. | R analysis afterwards: It is");
        assertThat(said.told()).doesNotContain("time");
        assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
    }

    @Test
    void anAnswerIsWholeThoughItsReasonsAreNotToBeHad() throws InterruptedException {
        server.types("Paris.").answers(exchange -> exchange.answer(400, "{}"));

        var said = say(List.of(ReasoningStrategy.POST_HOC), job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: Paris.");
        assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.MISSING);
    }

    @Test
    void aRequestThatTurnsReasoningOffIsNotAskedForAny() throws InterruptedException {
        server.types("Paris.");
        var job = job(List.of(user()));

        var said = say(
                List.of(ReasoningStrategy.ENVELOPE, ReasoningStrategy.POST_HOC),
                job.with(ReasoningTerms.of("c").withTokensMax(0)));

        assertThat(said.told()).isEqualTo("V final: Paris.");
        assertThat(server.requests())
                .singleElement()
                .satisfies(request -> assertThat(request.path("messages")).hasSize(1));
    }
}
