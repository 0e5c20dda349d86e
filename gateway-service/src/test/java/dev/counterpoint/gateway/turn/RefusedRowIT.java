package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The bus takes a request whose row the database refuses.
@QuarkusTest
@WithTestResource(GatewayDatabase.class)
@TestProfile(FakeModels.Profile.class)
class RefusedRowIT {
    private final TestSuperuser database = new TestSuperuser();

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"background\":true", ",\"stream\":true"})
    void whoIsToldThatNothingRunsIsToldTheTruth(String how) throws Exception {
        // Given
        var tenant = Api.newTenant("");
        var caller = Api.ofTenant(tenant);
        run("""
                create function refuse() returns trigger language plpgsql as $$
                begin if new.tenant_id = '%s' then raise exception 'refused'; end if; return new; end $$""".formatted(tenant));
        run("create trigger refuse before insert on response for each row execute function refuse()");
        try {
            // When
            var answer =
                    caller.post("/v1/responses", "{\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\"%s}".formatted(how));
            // Then
            assertThat(answer.status()).isGreaterThanOrEqualTo(500);
            assertThat(FakeModels.last().submission().tenant()).isEqualTo(tenant);
            assertThat(FakeModels.last().generation().isSettled()).isTrue();
            assertThat(FakeModels.last().generation().isAbandoned()).isTrue();
        } finally {
            run("drop trigger refuse on response");
            run("drop function refuse()");
        }
    }

    private void run(String sql) {
        database.createNativeMutationQuery(sql).executeUpdate();
    }
}
