package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What of a request goes on to a model that is not Harmony: what the caller said, and nothing more.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ModelOptionsIT {
    private static final String RESPONSES = "/v1/responses";
    private static final String CHAT = "/v1/chat/completions";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");

    private final Api caller = Api.newCaller("reasoning:summary");

    private record Asked(Api.Answer answer, GenerationJob job) {
        String ignored() {
            return answer.header("x-counterpoint-ignored");
        }
    }

    @ParameterizedTest
    @DisplayName("what the upstream gets: nothing that the caller did not say")
    @ValueSource(strings = {RESPONSES, CHAT})
    void nothingIsSaidForTheCaller(String path) {
        var asked = ask(caller, path, FakeModels.OWN_TEMPLATE, "");

        assertThat(asked.job().options()).isEqualTo(ModelOptions.NONE);
        assertThat(asked.job().sampling()).isEqualTo(GenerationJob.Sampling.DEFAULT);
    }

    @ParameterizedTest
    @DisplayName("what the upstream gets: all that the caller said")
    @ValueSource(strings = {RESPONSES, CHAT})
    void whatTheCallerSaysGoesOn(String path) {
        var asked = ask(
                caller,
                path,
                FakeModels.OWN_TEMPLATE,
                ",\"top_k\":40,\"min_p\":0.05,\"repetition_penalty\":1.1,\"parallel_tool_calls\":true,"
                        + "\"reasoning\":{\"effort\":\"medium\"},\"chat_template_kwargs\":{\"documents\":[null]}");

        assertThat(asked.ignored()).isEmpty();
        assertThat(asked.job().options())
                .isEqualTo(ModelOptions.of(BusProto.GenerationJob.Options.newBuilder()
                        .setEffortSaid(1)
                        .setParallelCallsPlusOne(2)
                        .setTopK(40)
                        .setMinP(0.05)
                        .setRepetitionPenalty(1.1)
                        .setTemplateArguments("{\"documents\":[null]}")
                        .build()));
        assertThat(asked.answer().json().toString()).doesNotContain("chat_template_kwargs", "top_k");
    }

    @ParameterizedTest
    @ValueSource(strings = {RESPONSES, CHAT})
    void aHarmonyModelHasNoUseForThem(String path) {
        var asked = ask(
                caller,
                path,
                FakeModels.MODEL,
                ",\"top_k\":40,\"min_p\":0.05,\"repetition_penalty\":1.1,"
                        + "\"chat_template_kwargs\":{\"enable_thinking\":false}");

        assertThat(asked.ignored().split(", "))
                .containsExactlyInAnyOrder("top_k", "min_p", "repetition_penalty", "chat_template_kwargs");
        assertThat(asked.job().options()).isEqualTo(ModelOptions.NONE);
        assertThat(asked.job().reasoning().tokensMax()).isNull();
    }

    @ParameterizedTest(name = "{0}: {2}, {3}")
    @DisplayName("arguments about thinking do not go on, and false is a request without reasoning")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "{'enable_thinking':false} | | 0",
                "{'thinking':false} | | 0",
                "{'thinking_budget':0} | | 0",
                "{'reasoning_effort':'none'} | | 0",
                "{'enable_thinking':true} | chat_template_kwargs.enable_thinking | -",
                "{'reasoning_effort':'high'} | chat_template_kwargs.reasoning_effort | -",
                "{'thinking_budget':100,'thinking':false} | chat_template_kwargs.thinking_budget | 0",
            })
    void whetherTheModelThinksIsNotForTheTemplateToSay(
            String arguments, @Nullable String ignored, @Nullable Integer tokensMax) {
        for (var path : List.of(RESPONSES, CHAT)) {
            var members = ",\"reasoning\":\"summary\",\"chat_template_kwargs\":" + arguments.replace('\'', '"');

            var asked = ask(caller, path, FakeModels.OWN_TEMPLATE, members);

            assertThat(asked.ignored()).isEqualTo(ignored == null ? "" : ignored);
            assertThat(asked.job().options()).isEqualTo(ModelOptions.NONE);
            assertThat(asked.job().reasoning().tokensMax()).isEqualTo(tokensMax);
        }
    }

    @ParameterizedTest
    @DisplayName("under none a model is asked for its reasoning if it is kept for audit, and else not")
    @ValueSource(strings = {RESPONSES, CHAT})
    void reasoningThatIsKeptIsAskedFor(String path) {
        var audited = Api.newAuditedCaller();
        var none = ",\"reasoning\":\"none\"";

        var kept = ask(audited, path, FakeModels.OWN_TEMPLATE, none + ",\"reasoning_encrypt\":true");
        var lost = ask(audited, path, FakeModels.OWN_TEMPLATE, none);

        assertThat(kept.job().reasoning().tokensMax()).isNull();
        assertThat(lost.job().reasoning().tokensMax()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'top_k':-2 | top_k",
                "'top_k':1.5 | top_k",
                "'min_p':1.1 | min_p",
                "'repetition_penalty':0 | repetition_penalty",
                "'chat_template_kwargs':[] | chat_template_kwargs",
                "'chat_template_kwargs':'x' | chat_template_kwargs",
                "'chat_template_kwargs':{'chat_template':'{{x}}'} | chat_template_kwargs.chat_template",
                "'chat_template_kwargs':{'add_generation_prompt':false} | chat_template_kwargs.add_generation_prompt",
                "'chat_template_kwargs':{'a':'LONG'} | chat_template_kwargs",
            })
    void whatIsOutOfBoundsIsRefusedByName(String members, String param) {
        for (var path : List.of(RESPONSES, CHAT)) {
            var said = "," + members.replace('\'', '"').replace("LONG", "x".repeat(4096));

            var answer = caller.post(path, body(path, FakeModels.OWN_TEMPLATE, said));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().at("/error/param").asText()).isEqualTo(param);
        }
    }

    private static Asked ask(Api caller, String path, String model, String members) {
        FakeModels.next(FOUR);
        var answer = caller.post(path, body(path, model, members));
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        return new Asked(answer, FakeModels.last().submission().job());
    }

    private static String body(String path, String model, String members) {
        var question = path.equals(RESPONSES)
                ? "\"input\":\"2+2?\""
                : "\"messages\":[{\"role\":\"user\",\"content\":\"2+2?\"}]";
        return "{\"model\":\"%s\",%s%s}".formatted(model, question, members);
    }
}
