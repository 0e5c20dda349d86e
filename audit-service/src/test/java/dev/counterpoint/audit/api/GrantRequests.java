package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.StaffClient;

/// Asks for exports and scans.
abstract class GrantRequests extends StoredRecords {
    static final String[] ROLES = {"compliance.export", "compliance.read"};
    final StaffClient asker = StaffClient.with("exporter", ROLES);

    StaffClient.Answer ask(String action, String filter, String members) {
        return asker.post(
                "/audit/v1/requests",
                "{\"action\":\"%s\",\"tenant\":\"%s\",\"filter\":%s,%s,\"case_id\":\"CASE-8\",\"reason\":\"a trial\"}"
                        .formatted(action, tenant, filter, members));
    }

    /// Id of a request that a colleague approved.
    String approved(StaffClient.Answer asked) {
        assertThat(asked.status()).as(asked.text()).isEqualTo(202);
        var approved = asker.approved(asked);
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        return id(asked);
    }

    static String id(StaffClient.Answer answer) {
        return answer.json().path("id").asText();
    }
}
