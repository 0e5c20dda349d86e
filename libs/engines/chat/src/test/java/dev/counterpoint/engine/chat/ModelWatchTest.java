package dev.counterpoint.engine.chat;

import static dev.counterpoint.engine.chat.FakeModelServer.right;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.engine.chat.ChatOptions.Knowing;
import dev.counterpoint.engine.chat.FakeModelServer.Reply;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.probe.OperatorWord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When an engine asks after its model.
@Timeout(60)
class ModelWatchTest extends WithModelServer {
    @Test
    void isAskedAgainWhenTheModelHasChanged() {
        server.llamaServer("some-model", FakeModelServer.QWEN3_JINJA)
                .model(always(right -> Reply.content("<think>R</think>" + right)));
        var engine = engine("some-model", QUICK, List.of(), server);
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        int requests = server.requests().size();
        long looks = looks();
        await(() -> looks() > looks + 1);
        assertThat(server.requests()).hasSize(requests);
        // When
        server.model(always(right -> Reply.content("R</think>" + right)))
                .llamaServer("some-model", FakeModelServer.QWQ_JINJA);
        // Then
        await(() -> engine.known().thinking().unmarked() == Unmarked.REASONING);
        await(() -> engine.describe().text().contains("(tried)"));
    }

    @Test
    void aBusyServerHasNotChanged() {
        server.vllm("mine", "org/unheard-of");
        var engine = engine("mine", QUICK, List.of(), server);
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        int requests = server.requests().size();
        // When
        server.overload("GET /version");
        long looks = looks();
        await(() -> looks() > looks + 1);
        // Then
        assertThat(server.requests()).hasSize(requests);
        assertThat(engine.known().thinking().unmarked()).isEqualTo(Unmarked.ANSWER);
        assertThat(engine.known().text()).startsWith("vLLM 0.11.0, mine");
    }

    private long looks() {
        return server.targets().stream().filter("GET /props"::equals).count();
    }

    @Test
    void aModelThatHangsDoesNotKeepTheEngineFromStarting() {
        server.hosted(NOT_THERE).model(_ -> Reply.HANGS);
        var hurried = new Knowing(
                OperatorWord.NONE, true, Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofMillis(200));

        var known = known(NOT_THERE, hurried);

        assertThat(known.thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
    }

    @Test
    void isNotReadyBeforeItKnowsAndSaysSo() {
        var engine = engine(NOT_THERE, QUICK, List.of(), server);

        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
        assertThat(engine.describe().text()).isEqualTo("mystery:7b is being asked how it shows reasoning");
        assertThat(engine.notices()).extracting(EngineNotice::code).containsExactly(EngineNotice.Code.BEING_EXAMINED);
        assertThat(engine.known().thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
    }

    @Test
    void aModelThatNothingIsKnownOfIsReported() {
        server.hosted(NOT_THERE).model(_ -> Reply.content("Seventeen and 25, that is 42"));

        var engine = engine(NOT_THERE, QUICK, List.of(), server);

        await(() -> engine.notices().stream()
                .map(EngineNotice::code)
                .toList()
                .equals(List.of(EngineNotice.Code.WITHHOLDS)));
    }

    @Test
    void aTrialThatBrokeIsMadeAgain() {
        server.hosted(NOT_THERE).model(_ -> Reply.BROKEN);
        var engine = engine(NOT_THERE, QUICK, List.of(), server);
        await(() -> !server.requests().isEmpty());

        server.model(always(Reply::content));

        await(() -> engine.known().thinking().unmarked() == Unmarked.ANSWER);
    }

    @Test
    void whereServersDifferWhatHoldsForAllOfThemCounts() {
        var other = new FakeModelServer();
        open.add(other);
        server.hosted(NOT_THERE);
        other.hosted(NOT_THERE).model(always(right -> Reply.content("R</think>" + right)));

        var engine = engine(NOT_THERE, QUICK, List.of(), server, other);

        await(() -> engine.known().text().contains("its servers differ"));
        assertThat(engine.known().thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
    }
}
