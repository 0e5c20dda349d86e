package dev.counterpoint.gateway.reasoning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.tenancy.AuditSetting;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.tenancy.Scope;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.ReasoningOptions;
import dev.counterpoint.openai.responses.ReasoningWish;
import dev.counterpoint.servicekit.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReasoningTest {
    @ParameterizedTest(name = "{0} with {1} where {2} is usual: {3}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // names nothing
                "- | - | NONE | none",
                "- | SUMMARY | NONE | none",
                "- | SUMMARY | SUMMARY | summary",
                "- | SUMMARY | FULL | summary",
                "- | RAW | NONE | raw",
                // OpenRouter's object
                "'reasoning':{} | - | NONE | none",
                "'reasoning':{} | SUMMARY | NONE | summary",
                "'reasoning':{'effort':'high'} | RAW | NONE | raw",
                "'reasoning':{'exclude':true} | RAW | FULL | none",
                "'reasoning':{'enabled':false} | RAW | FULL | none",
                // a mode's name
                "'reasoning':'none' | RAW | FULL | none",
                "'reasoning':'summary' | RAW | NONE | summary",
                "'reasoning':'full' | RAW | NONE | raw",
                "'include_reasoning':'summary' | SUMMARY | NONE | summary",
                // a flag
                "'include_reasoning':true | SUMMARY | NONE | summary",
                "'include_reasoning':true | RAW | NONE | raw",
                "'include_reasoning':false | RAW | NONE | none",
                // both
                "'reasoning':{'effort':'low'},'include_reasoning':false | RAW | NONE | none",
                // refused
                "'reasoning':'full' | SUMMARY | FULL | missing reasoning:raw",
                "'reasoning':'full' | - | FULL | missing reasoning:raw",
                "'reasoning':'summary' | - | FULL | missing reasoning:summary",
                "'include_reasoning':'full' | SUMMARY | FULL | missing reasoning:raw",
            })
    void aChatGetsWhatItAskedForWithinItsKey(
            @Nullable String member, @Nullable String scope, ReasoningMode usual, String expected) {
        // Given
        var reasoning = ChatReasoning.of(request(member));
        var caller = caller(scope);

        // Then
        if (expected.startsWith("missing ")) {
            assertThatThrownBy(() -> reasoning.grant(caller, usual))
                    .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                        assertThat(refusal.problem().status()).isEqualTo(403);
                        assertThat(refusal.problem().message()).contains(expected.substring(8));
                    });
        } else {
            assertThat(reasoning.grant(caller, usual))
                    .isEqualTo(new ReasoningGrant(
                            expected.equals("raw"), expected.equals("summary") ? SummaryJob.Detail.AUTO : null));
        }
    }

    @Test
    void responsesShowRawReasoningByTheKeyAndASummaryByTheRequest() {
        var auto = new ReasoningOptions(null, "auto", null, null, null);

        var summary = SummaryJob.Detail.AUTO;
        assertThat(grant(null, "RAW")).isEqualTo(new ReasoningGrant(true, null));
        assertThat(grant(auto, "RAW")).isEqualTo(new ReasoningGrant(true, summary));
        assertThat(grant(null, "SUMMARY")).isEqualTo(new ReasoningGrant(false, null));
        assertThat(grant(auto, "SUMMARY")).isEqualTo(new ReasoningGrant(false, summary));
        assertThatThrownBy(() -> grant(auto, null)).isInstanceOf(ProblemException.class);
    }

    @Test
    void responsesShowExactlyTheModeThatTheRequestNames() {
        var none = new ReasoningWish.Mode("none");
        var summary = new ReasoningWish.Mode("summary");
        var full = new ReasoningWish.Mode("full");

        assertThat(grant(none, "RAW")).isEqualTo(new ReasoningGrant(false, null));
        assertThat(grant(summary, "RAW")).isEqualTo(new ReasoningGrant(false, SummaryJob.Detail.AUTO));
        assertThat(grant(summary, "SUMMARY")).isEqualTo(new ReasoningGrant(false, SummaryJob.Detail.AUTO));
        assertThat(grant(full, "RAW")).isEqualTo(new ReasoningGrant(true, null));
        assertThatThrownBy(() -> grant(full, "SUMMARY")).isInstanceOfSatisfying(ProblemException.class, refusal -> {
            assertThat(refusal.problem().status()).isEqualTo(403);
            assertThat(refusal.problem().message()).contains("reasoning:raw");
        });
        assertThatThrownBy(() -> grant(summary, null)).isInstanceOf(ProblemException.class);
    }

    @Test
    void responsesThatAskForNothingGetTheDeploymentsDefaultWithinTheirKey() {
        assertThat(ResponsesReasoning.grant(null, caller("SUMMARY"), ReasoningMode.SUMMARY))
                .isEqualTo(new ReasoningGrant(false, SummaryJob.Detail.AUTO));
        assertThat(ResponsesReasoning.grant(null, caller("SUMMARY"), ReasoningMode.FULL))
                .isEqualTo(new ReasoningGrant(false, SummaryJob.Detail.AUTO));
        assertThat(ResponsesReasoning.grant(null, caller(null), ReasoningMode.SUMMARY))
                .isEqualTo(new ReasoningGrant(false, null));
    }

    /// Brief 003: the mode that nobody names is told in the words of the modes.
    @Test
    void aDefaultSummaryIsAReasoningSummary() {
        var summary = new ReasoningGrant(false, SummaryJob.Detail.AUTO);
        var raw = new ReasoningGrant(true, null);

        assertThat(ChatReasoning.of(request(null)).convention(summary)).isFalse();
        assertThat(ChatReasoning.of(request(null)).convention(raw)).isTrue();
        assertThat(ChatReasoning.of(request("'reasoning':{}")).convention(summary))
                .isTrue();
    }

    @Test
    void aSummaryIsAsDetailedAsTheRequestSays() {
        var detailed = new ReasoningOptions(null, null, "detailed", null, null);
        var chat = ChatReasoning.of(request("'reasoning':{'summary':'concise'}"));

        assertThat(grant(detailed, "SUMMARY").summary()).isEqualTo(SummaryJob.Detail.DETAILED);
        assertThat(chat.grant(caller("SUMMARY"), ReasoningMode.NONE).summary()).isEqualTo(SummaryJob.Detail.CONCISE);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "-; true",
                "'reasoning':{}; true",
                "'reasoning':{'exclude':false},'include_reasoning':true; true",
                "'reasoning':'summary'; false",
                "'include_reasoning':true; false",
                "'include_reasoning':'full'; false",
            })
    void theFormOfTheAnswerIsThatOfTheRequest(@Nullable String member, boolean convention) {
        assertThat(ChatReasoning.of(request(member)).convention()).isEqualTo(convention);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "-; -",
                "'reasoning':{'max_tokens':50}; 50",
                "'reasoning':{'max_tokens':50,'exclude':true}; 50",
                "'reasoning':{'max_tokens':50,'enabled':false}; 0",
                "'reasoning':{'effort':'none'}; 0",
                "'reasoning_effort':'none'; 0",
                "'reasoning_effort':'minimal'; -",
                "'reasoning':'none'; -",
            })
    void theReasoningIsAsLongAsTheRequestAllows(@Nullable String member, @Nullable Integer tokensMax) {
        assertThat(ChatReasoning.of(request(member)).tokensMax()).isEqualTo(tokensMax);
    }

    @Test
    void aResponseWithoutEffortIsNotReasonedAbout() {
        assertThat(ResponsesReasoning.tokensMax(new ReasoningOptions("none", null, null, null, null)))
                .isZero();
        assertThat(ResponsesReasoning.tokensMax(new ReasoningOptions("low", null, null, null, null)))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"-, false, -", "-, true, 0", "50, true, 0", "50, false, 50"})
    void aModelThatMustBeAskedForItsReasoningIsNotAskedForNobody(
            @Nullable Integer asked, boolean messages, @Nullable Integer expected) {
        // Given
        var abilities = messages ? List.of("messages") : List.<String>of();
        var model = new Heartbeat.Model("m", "", 100, 1, 1, abilities);
        // Then
        assertThat(new ReasoningGrant(false, null).tokensMax(model, false, asked))
                .isEqualTo(expected);
        assertThat(new ReasoningGrant(true, null).tokensMax(model, false, asked))
                .isEqualTo(asked);
        assertThat(new ReasoningGrant(false, SummaryJob.Detail.AUTO).tokensMax(model, false, asked))
                .isEqualTo(asked);
        assertThat(new ReasoningGrant(false, null).tokensMax(model, true, asked))
                .isEqualTo(asked);
    }

    private static ReasoningGrant grant(@Nullable ReasoningWish wish, @Nullable String scope) {
        return ResponsesReasoning.grant(wish, caller(scope), ReasoningMode.NONE);
    }

    private static ChatRequest request(@Nullable String member) {
        var more = member == null ? "" : "," + member.replace('\'', '"');
        return WireJson.read(
                ("{\"model\":\"m\",\"messages\":[]" + more + "}").getBytes(StandardCharsets.UTF_8), ChatRequest.class);
    }

    private static Caller caller(@Nullable String scope) {
        var scopes = scope == null ? Set.<Scope>of() : Set.of(Scope.valueOf("REASONING_" + scope));
        return new Caller("tenant_1", "default", "key_1", scopes, null, AuditSetting.ASK, false);
    }
}
