package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.canary.CanaryStaff;
import dev.counterpoint.local.canary.OptedInTenant;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// An erasure that two persons of compliance staff make takes what gateways store, too.
@ExtendWith(WholeSuite.class)
class ErasureIT {
    private static final String REQUESTS = "/audit/v1/requests";

    @Test
    void anErasedPersonIsGoneAtTheGatewaysToo() throws InterruptedException {
        // Given
        var suite = WholeSuite.suite();
        var tenant = OptedInTenant.create(suite);
        var caller = new ApiClient(suite.gateway(), tenant.key("").secret());
        var audited = stored(caller, "\"user\":\"alice\",\"reasoning_encrypt\":true");
        var plain = stored(caller, "\"user\":\"alice\"");
        var bobs = stored(caller, "\"user\":\"bob\"");
        assertThat(new CanaryStaff(suite).awaitRecords(audited)).isNotEmpty();
        // When
        var asker = staff("COUNTERPOINT_COMPLIANCE_TOKEN");
        var asked = asker.post(
                REQUESTS,
                ("{\"action\":\"erase\",\"tenant\":\"%s\",\"subject\":\"alice\","
                                + "\"case_id\":\"C\",\"reason\":\"asked for it\"}")
                        .formatted(tenant.id()));
        var id = asked.body().path("id").asText();
        var approved = staff("COUNTERPOINT_APPROVER_TOKEN")
                .post(REQUESTS + "/" + id + "/approve", "{\"reason\":\"asked for it\"}");
        // Then
        assertThat(approved.status()).as(approved.body().toString()).isEqualTo(200);
        var receipt = Eventually.until(
                        () -> asker.get("/audit/v1/erasures/" + id),
                        answer -> answer.body().at("/gateway/status").asText().equals("erased"))
                .body();
        assertThat(receipt.at("/gateway/rows/responses").asInt()).isEqualTo(2);
        assertThat(caller.get("/v1/responses/" + audited).status()).isEqualTo(404);
        assertThat(caller.get("/v1/responses/" + plain).status()).isEqualTo(404);
        assertThat(caller.get("/v1/responses/" + bobs).status()).isEqualTo(200);
    }

    private static ApiClient staff(String token) {
        var suite = WholeSuite.suite();
        return new ApiClient(URI.create(suite.export("COUNTERPOINT_AUDIT_URL")), suite.export(token));
    }

    private static String stored(ApiClient caller, String members) {
        var answer = caller.post(
                "/v1/responses", "{\"model\":\"%s\",\"input\":\"Hello\",%s}".formatted(RunningSuite.MODEL, members));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().path("id").asText();
    }
}
