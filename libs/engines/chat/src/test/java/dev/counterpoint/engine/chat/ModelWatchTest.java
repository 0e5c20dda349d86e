package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When an engine asks its servers about the model.
@Timeout(60)
class ModelWatchTest extends WithModelServer {
    @Test
    void asksAgainAndFollowsAModelThatHasChanged() {
        server.llamaServer("some-model", FakeModelServer.QWEN3_JINJA);
        var engine = engine("some-model", QUICK, List.of(), server);
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        assertThat(engine.known().rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        // When
        server.llamaServer("some-model", FakeModelServer.QWQ_JINJA);
        // Then
        await(() -> engine.known().rule().unmarked() == Unmarked.REASONING);
        assertThat(server.requests()).as("requests to the model").isEmpty();
    }

    @Test
    void aBusyServerHasNotChanged() {
        server.vllm("mine", "Qwen/Qwen3-8B");
        var engine = engine("mine", QUICK, List.of(), server);
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        // When
        server.overload("GET /version");
        long looks = looks();
        await(() -> looks() > looks + 1);
        // Then
        assertThat(engine.known().rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(engine.known().text()).startsWith("vLLM 0.11.0, mine");
    }

    private long looks() {
        return server.targets().stream().filter("GET /props"::equals).count();
    }

    @Test
    void isNotReadyBeforeItKnowsAndSaysSo() {
        var engine = engine(NOT_THERE, QUICK, List.of(), server);

        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
        assertThat(engine.describe().text()).isEqualTo("mystery:7b is being asked how it shows reasoning");
        assertThat(engine.notices()).extracting(EngineNotice::code).containsExactly(EngineNotice.Code.BEING_EXAMINED);
        assertThat(engine.known().rule().unmarked()).isEqualTo(Unmarked.UNKNOWN);
    }

    @Test
    void aModelThatNothingIsKnownOfIsReported() {
        server.hosted(NOT_THERE);

        var engine = engine(NOT_THERE, QUICK, List.of(), server);

        await(() -> engine.notices().stream()
                .map(EngineNotice::code)
                .toList()
                .equals(List.of(EngineNotice.Code.WITHHOLDS)));
    }

    @Test
    void whereServersDifferOnlyThatCountsWhichHoldsForAllOfThem() {
        var other = new FakeModelServer();
        open.add(other);
        server.llamaServer("some-model", FakeModelServer.QWEN3_JINJA);
        other.llamaServer("some-model", FakeModelServer.QWQ_JINJA);

        var engine = engine("some-model", QUICK, List.of(), server, other);

        await(() -> engine.known().text().contains("its servers differ"));
        assertThat(engine.known().rule().unmarked()).isEqualTo(Unmarked.UNKNOWN);
    }
}
