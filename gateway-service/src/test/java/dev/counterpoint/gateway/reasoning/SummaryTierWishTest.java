package dev.counterpoint.gateway.reasoning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.tenancy.AuditSetting;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.openai.json.WireException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummaryTierWishTest {
    @ParameterizedTest(name = "a tenant that may: {0}, asks for {1}")
    @CsvSource({
        "true, , true, false",
        "true, written, true, false",
        "true, described, false, false",
        "false, , false, false",
        "false, written, false, true",
        "false, described, false, false",
    })
    void narrowsAndNeverWidens(boolean may, @Nullable String most, boolean written, boolean withoutEffect) {
        var caller = new Caller("tenant_1", "project", "key_1", Set.of(), null, AuditSetting.NEVER, false, may);

        assertThat(SummaryTierWish.written(most, caller)).isEqualTo(written);
        assertThat(SummaryTierWish.hasNoEffect(most, caller)).isEqualTo(withoutEffect);
    }

    @Test
    void anotherWordIsRefused() {
        assertThatThrownBy(() -> RequestRules.oneOf(SummaryTierWish.MEMBER, "raw", SummaryTierWish.WORDS))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("reasoning_summary_tier")
                .hasMessageContaining("described");
    }
}
