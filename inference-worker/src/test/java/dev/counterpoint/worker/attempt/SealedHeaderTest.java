package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SealedHeaderTest {
    @Test
    void theHeaderOfSealedReasoningNamesItsModelAndItemAndTheRequestThatItIsBoundTo() {
        // Given
        var keys = TestKeys.of(ServiceRole.WORKER);
        var log = new AttemptLog(keys, true);
        var attemptKeys = AttemptKeys.create();
        var engine = new PatientEngine();
        var tokenizer = HarmonyTokenizer.shared();
        engine.output = IntStream.of(SpecialTokens.CHANNEL, tokenizer.encode("analysis")[0], SpecialTokens.MESSAGE)
                .toArray();
        engine.output = IntStream.concat(IntStream.of(engine.output), IntStream.of(tokenizer.encode("one")))
                .toArray();
        engine.reason = StopReason.STOP_TOKEN;
        var context = SealedReasoning.context(AttemptLog.TENANT, "project", "gpt-oss");
        var bond = new ReasoningBond(BusProto.ReasoningBond.newBuilder()
                .setCount(7)
                .setOutputIndex(1)
                .build());
        var job = Workbench.asking("hi")
                .with(GenerationJob.ReasoningTerms.of(context).bound(bond));
        var bench = new Workbench(engine, keys);
        var attempt = bench.attempt(AttemptLog.ticket(1), log.publisher(1, 1, attemptKeys));
        // When
        new Attempt(attempt, job, null, List.of(), bench.context).run();
        // Then
        var sealed = log.frames().stream()
                .filter(frame -> frame.kind() == FrameKind.SEALED_REASONING)
                .findFirst()
                .orElseThrow();
        var blob = Objects.requireNonNull(attemptKeys.visible()).open(AttemptLog.TENANT, sealed);
        var header = SealedReasoning.header(new String(blob, StandardCharsets.US_ASCII), context, keys);
        assertThat(header.model()).isEqualTo("gpt-oss");
        assertThat(header.item()).isEqualTo(AttemptLog.RESPONSE.reasoningItem(1));
        assertThat(header.bond()).isEqualTo(bond);
    }
}
