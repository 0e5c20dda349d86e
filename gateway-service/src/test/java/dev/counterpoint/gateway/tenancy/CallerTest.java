package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerTest {
    @ParameterizedTest(name = "a key with [{0}] that asks for {1} where {2} is usual gets {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "'', -, NONE, NONE",
                "'', -, SUMMARY, NONE",
                "'', -, FULL, NONE",
                "'', NONE, FULL, NONE",
                "'REASONING_SUMMARY', -, NONE, NONE",
                "'REASONING_SUMMARY', -, SUMMARY, SUMMARY",
                "'REASONING_SUMMARY', -, FULL, SUMMARY",
                "'REASONING_SUMMARY', SUMMARY, NONE, SUMMARY",
                "'REASONING_RAW', -, NONE, FULL",
                "'REASONING_RAW', -, SUMMARY, FULL",
                "'REASONING_RAW', NONE, SUMMARY, NONE",
                "'REASONING_RAW', SUMMARY, NONE, SUMMARY",
                "'REASONING_RAW', FULL, NONE, FULL"
            })
    void reasoningStaysWithinTheKey(
            String scope, @Nullable ReasoningMode asked, ReasoningMode usual, ReasoningMode granted) {
        assertThat(callerWith(scope).reasoning(asked, usual)).isEqualTo(granted);
    }

    @ParameterizedTest(name = "a key with [{0}] that asks for {1} is told to get {2}")
    @CsvSource({
        "'', SUMMARY, reasoning:summary",
        "'', FULL, reasoning:raw",
        "'REASONING_SUMMARY', FULL, reasoning:raw",
    })
    void askingForMoreThanTheKeyAllowsNamesTheScope(String scope, ReasoningMode asked, String missing) {
        var caller = callerWith(scope);

        assertThatThrownBy(() -> caller.reasoning(asked, ReasoningMode.FULL))
                .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                    assertThat(refusal.problem().status()).isEqualTo(403);
                    assertThat(refusal.problem().message()).contains(missing);
                });
    }

    @ParameterizedTest(name = "tenant agreed: {0}, key: {1}, request: {2} -> {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "false, ALWAYS, true, false",
                "false, ASK, true, false",
                "true, NEVER, true, false",
                "true, ASK, -, false",
                "true, ASK, false, false",
                "true, ASK, true, true",
                "true, ALWAYS, -, true",
                "true, ALWAYS, true, true",
                "true, ALWAYS, false, false"
            })
    void nothingIsKeptUnlessEverybodyAgreed(
            boolean tenantAgreed, AuditSetting key, @Nullable Boolean request, boolean kept) {
        var caller = new Caller("tenant_1", "default", "key_1", Set.of(), tenantAgreed ? "optin_1" : null, key, false);

        assertThat(caller.auditedBy(request).isPresent()).isEqualTo(kept);
    }

    private static Caller callerWith(String scope) {
        var scopes = scope.isEmpty() ? Set.<Scope>of() : Set.of(Scope.valueOf(scope));
        return new Caller("tenant_1", "default", "key_1", scopes, null, AuditSetting.ASK, false);
    }
}
