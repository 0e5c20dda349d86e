package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class TenantCensusIT {
    private static final String AWAY = "timestamptz '2001-01-01'";

    private final TestSuperuser database = new TestSuperuser();

    @Inject
    TenantCensus census;

    @AfterEach
    void bringTheOthersBack() {
        execute("update tenant set deleted_at = null where deleted_at = " + AWAY);
    }

    @Test
    void tellsOneTenantFromSeveral() {
        // Given
        execute("update tenant set deleted_at = %s where deleted_at is null".formatted(AWAY));
        Api.newTenant("");
        census.count();
        boolean severalWithOne = census.several();
        // When
        Api.newTenant("");
        census.count();
        // Then
        assertThat(severalWithOne).isFalse();
        assertThat(census.several()).isTrue();
    }

    private void execute(String sql) {
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery(sql).executeUpdate());
    }
}
