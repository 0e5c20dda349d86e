package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// L1, L2 (security review): a search that cannot be made is refused by name, and stands in the access log all the
/// same.
@QuarkusTest
@WithTestResource(AuditParts.class)
class RefusedSearchesIT {
    private static final String ENTRIES = "event where actor = ? and action = 'search' and outcome = 'denied'";

    @ParameterizedTest(name = "L2 {0}")
    @CsvSource(delimiter = '|', textBlock = """
        {"from":"+999999999-12-31T23:59:59Z"}                                 | from
        {"to":"-999999999-01-01T00:00:00Z"}                                   | to
        {"from":"0000-01-01T00:00:00Z"}                                       | from
        {"from":"2026-01-02T00:00:00Z","to":"+10000-01-01T00:00:00Z"}         | to
        {"from":"yesterday"}                                                  | from
        {"tenant":"a\\u0000b"}                                                | tenant
        {"after":"AAAA"}                                                      | after
        {"limit":0}                                                           | limit
        {"subject":"alice"}                                                   | tenant
        """)
    void aRefusedSearchNamesItsFieldAndIsWrittenDown(String body, String field) {
        // Given
        var actor = "searcher-" + System.nanoTime();
        var staff = StaffClient.with(actor, "compliance.search");

        // When
        var answer = staff.search(body);

        // Then
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).isEqualTo(field);
        assertThat(AuditTables.count(ENTRIES, actor)).isEqualTo(1);
        assertThat(AuditTables.select("select body::jsonb ->> 'detail' from " + ENTRIES, actor)
                        .getFirst())
                .contains(field)
                .doesNotContain("alice");
    }

    @ParameterizedTest(name = "L2 access log {0}")
    @ValueSource(
            strings = {
                "from=+999999999-12-31T23:59:59Z",
                "to=-999999999-01-01T00:00:00Z",
                "actor=a\u0000",
                "actr=x",
                "action=bogus",
                "outcome=bogus",
                "limit=1.9"
            })
    void aRefusedSearchOfTheAccessLogIsWrittenDown(String query) {
        // Given
        var actor = "auditor-" + System.nanoTime();
        var pair = query.split("=", 2);

        // When
        var answer = StaffClient.with(actor, "auditor")
                .accessLog(pair[0] + "=" + URLEncoder.encode(pair[1], StandardCharsets.UTF_8));

        // Then
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).isEqualTo(pair[0]);
        assertThat(AuditTables.count(
                        "event where actor = ? and action = 'read_access_log' and outcome = 'denied'", actor))
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "L1 {0}")
    @ValueSource(
            strings = {"/audit/v1/erasures/%00", "/audit/v1/access-log?after=%00", "/audit/v1/access-log?case_id=%00"})
    void aNulIsRefused(String path) {
        assertThat(StaffClient.everything().get(path).status()).isIn(400, 404);
    }

    @ParameterizedTest(name = "erasures?{0}")
    @ValueSource(strings = {"limit=x", "limit=0", "limt=5"})
    void aRefusedListOfErasuresNamesTheParameter(String query) {
        var answer = StaffClient.everything().get("/audit/v1/erasures?" + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.field()).isEqualTo(query.substring(0, query.indexOf('=')));
    }

    @ParameterizedTest(name = "L1 {0}")
    @ValueSource(strings = {"%00", "resp_%00"})
    void aNulInARecordsPathIsRefused(String id) {
        assertThat(StaffClient.everything().read(id).status()).isIn(400, 404);
    }
}
