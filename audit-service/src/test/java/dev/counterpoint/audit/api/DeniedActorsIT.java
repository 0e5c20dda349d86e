package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.Tokens;
import dev.counterpoint.audit.Tokens.Claims;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// L6, L7 (security review): who stands in the access log can be read as it is, and nobody is crowded out of it.
@QuarkusTest
@WithTestResource(AuditParts.class)
class DeniedActorsIT {
    private static final String ANONYMOUS = "event where actor = 'unauthenticated'";

    @ParameterizedTest(name = "L6 {index}")
    @ValueSource(
            strings = {
                "\u202Eegdirb", // right-to-left override
                "a\u200Bb", // zero width
                "a\u2066b\u2069", // isolates
                "a\uFEFFb",
                "a\u2028b", // line separator
                "a\u00ADb", // soft hyphen
                "a\uDB40\uDC41b", // a tag character
                "a\uE000b", // private use
                " officer",
                "officer "
            })
    void l6ANameThatDoesNotReadAsItIsWrittenIsNoName(String subject) {
        var token = Tokens.ofTest().token(Claims.of(subject, "auditor"));

        var answer = new StaffClient(token).accessLog("");

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.code()).isEqualTo("invalid_token");
    }

    @ParameterizedTest(name = "L6 {0}")
    @ValueSource(strings = {"officer", "zoë.müller@example.org", "王 小明", "auth0|5f7c8ec7c33c6c004bbafe82", "محمد"})
    void l6NamesOfPeopleAreNames(String subject) {
        var token = Tokens.ofTest().token(Claims.of(subject, "auditor"));

        assertThat(new StaffClient(token).accessLog("").status()).isEqualTo(200);
    }

    @Test
    void l7AFloodOfAnonymousDenialsHidesNobodyAndIsCounted() {
        // Given
        long before = counted();
        int flood = 80;
        // When
        for (int i = 0; i < flood; i++) {
            assertThat(new StaffClient("").accessLog("").status()).isEqualTo(401);
            if (i % 10 == 0) {
                assertThat(StaffClient.with("insider-" + i, "compliance.search")
                                .accessLog("")
                                .status())
                        .isEqualTo(403);
            }
        }
        // Then
        assertThat(AuditTables.count("event where actor like 'insider-%' and outcome = 'denied'"))
                .isEqualTo(flood / 10);
        AuditTables.await(1, "(select 1 where (" + COUNTED + ") >= " + (before + flood) + ") as told");
        assertThat(counted() - before).isGreaterThanOrEqualTo(flood);
    }

    /// Each entry stands for one denial, or for as many as it says.
    private static final String COUNTED = "select coalesce(sum(case when body::jsonb ->> 'detail' like 'denials=%' then"
            + " substring(body::jsonb ->> 'detail' from 'denials=([0-9]+)')::bigint else 1 end), 0) from " + ANONYMOUS;

    private static long counted() {
        return Long.parseLong(AuditTables.select(COUNTED).getFirst());
    }
}
