package dev.counterpoint.bus.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.wire.BusProto;
import org.junit.jupiter.api.Test;

class ReasoningTermsTest {
    @Test
    void theHeaderOfNewReasoningNamesItsModelItsItemAndTheRequestThatItIsBoundTo() {
        var bond = new ReasoningBond(
                BusProto.ReasoningBond.newBuilder().setCount(7).build());
        var context = SealedReasoning.context("tenant", "project", "model|of|many");
        var terms = GenerationJob.ReasoningTerms.of(context).in("", "resp_1").bound(bond);

        assertThat(terms.header(5, 6, "rs_1"))
                .isEqualTo(new SealedReasoning.Header(5, 6, "resp_1", "model|of|many", "rs_1", bond));
        assertThat(bond.from(1).firstItem()).isOne();
        assertThat(bond.firstItem()).isZero();
    }
}
