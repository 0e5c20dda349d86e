package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class UsageLedgerIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String QUESTION = "{\"model\":\"%s\",\"input\":\"2+2?\"%s}";

    private final String tenant = Api.newTenant("");

    @Inject
    UsageLedger usage;

    private final TestSuperuser database = new TestSuperuser();

    @Test
    void whatIsStoredAndWhatIsNotIsOnTheBillOnceByKey() {
        // Given
        var first = Api.newKey(tenant);
        var second = Api.newKey(tenant);
        ask(first.get("secret").asText(), "");
        ask(first.get("secret").asText(), ",\"store\":false");
        ask(second.get("secret").asText(), "");

        // When
        var report = report("tenant=" + tenant + "&" + aroundMidnight());
        var ofOne = report("key=" + first.at("/key/id").asText() + "&" + aroundMidnight());

        // Then
        assertThat(report.lines().mapToLong(line -> number(line, "requests")).sum())
                .isEqualTo(3);
        assertThat(ofOne.lines().mapToLong(line -> number(line, "input_tokens")).sum())
                .isEqualTo(2L * ModelScript.INPUT_TOKENS);
        assertThat(ofOne.lines()
                        .mapToLong(line -> number(line, "cached_tokens"))
                        .sum())
                .isEqualTo(2L * ModelScript.CACHED_TOKENS);
        assertThat(ofOne.lines()
                        .mapToLong(line -> number(line, "output_tokens"))
                        .sum())
                .isEqualTo(2L * ModelScript.OUTPUT_TOKENS);
        assertThat(ofOne.lines()
                        .mapToLong(line -> number(line, "reasoning_tokens"))
                        .sum())
                .isEqualTo(2L * ModelScript.REASONING_TOKENS);
        assertThat(ofOne).contains("\"model\":\"" + FakeModels.MODEL + "\"");
    }

    @Test
    void olderEntriesAreAddedUpAndSayTheSame() {
        // Given
        var key = Api.newKey(tenant).get("secret").asText();
        ask(key, "");
        ask(key, "");
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery("""
                                update usage_entry set ended_at = timestamptz '2026-03-04 23:59:59 UTC'
                                where tenant_id = :tenant""")
                        .setParameter("tenant", tenant)
                        .executeUpdate());
        var before = report("from=2026-03-04&tenant=" + tenant);

        // When
        usage.fold().run();
        usage.fold().run();

        // Then
        assertThat(before).contains("\"day\":\"2026-03-04\"").contains("\"requests\":2");
        assertThat(report("from=2026-03-04&tenant=" + tenant)).isEqualTo(before);
        assertThat(report("from=2026-03-05&tenant=" + tenant)).isEmpty();
        assertThat(database.createNativeQuery("select count(*) from usage_entry where tenant_id = :tenant", Long.class)
                        .setParameter("tenant", tenant)
                        .getSingleResult())
                .isZero();
    }

    @Test
    void aTableForSpreadsheetsHasAHead() {
        // Given
        ask(Api.newKey(tenant).get("secret").asText(), "");

        // When
        var csv = report("format=csv&tenant=" + tenant + "&" + aroundMidnight());

        // Then
        assertThat(csv.lines().toList()).hasSize(2);
        assertThat(csv)
                .startsWith("day,tenant,key,model,requests,input_tokens,")
                .endsWith("," + FakeModels.MODEL + ",1,20,8,12,5\r\n");
    }

    @ParameterizedTest(name = "{0} is refused for {1}")
    @CsvSource({
        "from=yesterday, from",
        "from=2026-02-30, from",
        "from=2026-02-02&to=2026-02-01, to",
        "from=2020-01-01&to=2026-01-01, to",
        "format=xml, format"
    })
    void aMistakeNamesItsParameter(String query, String param) {
        var answer = Api.admin().get("/admin/usage?" + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(param);
    }

    private static void ask(String key, String more) {
        FakeModels.next(FOUR);
        assertThat(new Api(key)
                        .post("/v1/responses", QUESTION.formatted(FakeModels.MODEL, more))
                        .status())
                .isEqualTo(200);
    }

    /// Today, and tomorrow if that is what it has become.
    private static String aroundMidnight() {
        var today = LocalDate.now(ZoneOffset.UTC);
        return "from=" + today.minusDays(1) + "&to=" + today.plusDays(1);
    }

    private static String report(String query) {
        var answer = Api.admin().get("/admin/usage?" + query);
        assertThat(answer.status()).isEqualTo(200);
        return new String(answer.http().body(), StandardCharsets.UTF_8);
    }

    private static long number(String line, String name) {
        return WireJson.parse(line.getBytes(StandardCharsets.UTF_8)).path(name).asLong();
    }
}
