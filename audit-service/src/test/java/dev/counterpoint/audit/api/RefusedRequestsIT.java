package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each request of a named caller has one entry in the access log, whatever its answer.
@QuarkusTest
@WithTestResource(AuditParts.class)
class RefusedRequestsIT {
    private static final String RECORD = Asked.of("acme", "x").id().toString();
    private static final String[] ROLES = {
        "compliance.search",
        "compliance.read",
        "compliance.erase",
        "compliance.approve",
        "compliance.hold",
        "compliance.export",
        "auditor"
    };

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        POST   | /audit/v1/records/search        | [                                 | 400
        POST   | /audit/v1/records/search        | {"user": "x"}                     | 400
        POST   | /audit/v1/records/search        | {"limit": {}}                     | 400
        POST   | /audit/v1/records/search        | {"limit": 0}                      | 400
        POST   | /audit/v1/records/search        | {}                                | 200
        POST   | /audit/v1/records/none/read     | {"case_id": "C", "reason": "why"} | 400
        POST   | /audit/v1/records/RECORD/read   | {"case_id": "C", "reason": "why"} | 404
        POST   | /audit/v1/records/RECORD/read   | {"case_id": "C"}                  | 400
        POST   | /audit/v1/records/RECORD/read   | {                                 | 400
        POST   | /audit/v1/requests              | {"action": "erase"}               | 400
        POST   | /audit/v1/requests              | {"action": "praise"}              | 400
        POST   | /audit/v1/requests              | nonsense                          | 400
        POST   | /audit/v1/requests              | {}                                | 400
        POST   | /audit/v1/requests/none/approve | {}                                | 400
        POST   | /audit/v1/requests/none/approve | {"reason": "good"}                | 404
        POST   | /audit/v1/requests/none/cancel  | {}                                | 404
        POST   | /audit/v1/requests              | {"action": "export"}              | 400
        POST   | /audit/v1/requests              | {"action": "scan", "filter": 3}   | 400
        GET    | /audit/v1/exports/none          | ``                                | 404
        GET    | /audit/v1/requests/none         | ``                                | 404
        GET    | /audit/v1/requests?status=x     | ``                                | 400
        GET    | /audit/v1/requests              | ``                                | 200
        POST   | /audit/v1/holds                 | {"tenant": "t"}                   | 400
        GET    | /audit/v1/holds                 | ``                                | 200
        GET    | /audit/v1/erasures/none         | ``                                | 404
        GET    | /audit/v1/erasures?limit=x      | ``                                | 400
        GET    | /audit/v1/erasures              | ``                                | 200
        GET    | /audit/v1/access-log?from=x     | ``                                | 400
        DELETE | /audit/v1/erasures              | ``                                | 405
        GET    | /audit/v1/records/search        | ``                                | 405
        GET    | /audit/v1/nothing               | ``                                | 404
        """)
    void eachHasOneEntry(String method, String path, String body, int status) {
        // Given
        var actor = "asker-" + UUID.randomUUID();
        var staff = StaffClient.with(actor, ROLES);
        // When
        var answer = staff.send(method, path.replace("RECORD", RECORD), body);
        // Then
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(AuditTables.count("event where actor = ?", actor)).isOne();
    }
}
