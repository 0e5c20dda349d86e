package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.Tokens;
import dev.counterpoint.audit.Tokens.Claims;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The API lets in valid tokens with the right role, and nobody else.
@QuarkusTest
@WithTestResource(AuditParts.class)
class TokensIT {
    private static final String ID = Asked.of("acme", "x").id().toString();
    private static final String READ = "POST /audit/v1/records/" + ID + "/read";

    private static final Set<String> LISTS = Set.of(
            "compliance.erase",
            "compliance.hold",
            "compliance.export",
            "compliance.read",
            "compliance.approve",
            "auditor");

    private static final Set<String> HOLDS =
            Set.of("compliance.erase", "compliance.hold", "compliance.approve", "auditor");

    /// Every endpoint with the roles that may use it.
    private static final Map<String, Set<String>> ENDPOINTS = Map.ofEntries(
            Map.entry("POST /audit/v1/records/search", Set.of("compliance.search")),
            Map.entry(READ, Set.of("compliance.read")),
            Map.entry(
                    "POST /audit/v1/requests",
                    Set.of("compliance.erase", "compliance.hold", "compliance.export", "compliance.read")),
            Map.entry("GET /audit/v1/requests", LISTS),
            Map.entry("GET /audit/v1/requests/none", LISTS),
            Map.entry("POST /audit/v1/requests/none/approve", Set.of("compliance.approve")),
            Map.entry(
                    "POST /audit/v1/requests/none/cancel",
                    Set.of(
                            "compliance.erase",
                            "compliance.hold",
                            "compliance.export",
                            "compliance.read",
                            "compliance.approve")),
            Map.entry("GET /audit/v1/exports/none", Set.of("compliance.export")),
            Map.entry("POST /audit/v1/holds", Set.of("compliance.hold")),
            Map.entry("GET /audit/v1/holds", HOLDS),
            Map.entry("GET /audit/v1/erasures", Set.of("compliance.erase", "compliance.approve", "auditor")),
            Map.entry("GET /audit/v1/erasures/none", Set.of("compliance.erase", "compliance.approve", "auditor")),
            Map.entry("GET /audit/v1/access-log", Set.of("auditor")));

    private static final List<String> ROLES = List.of(
            "compliance.search",
            "compliance.read",
            "compliance.erase",
            "compliance.approve",
            "compliance.hold",
            "compliance.export",
            "auditor",
            "approver",
            "admin",
            "**",
            "*");

    @Test
    void everyRoleReachesItsEndpointsAndNoOther() {
        for (var endpoint : ENDPOINTS.entrySet()) {
            for (var role : ROLES) {
                int status =
                        ask(StaffClient.with("matrix", role), endpoint.getKey()).status();
                if (endpoint.getValue().contains(role)) {
                    assertThat(status).as("%s as %s", endpoint.getKey(), role).isNotIn(401, 403);
                } else {
                    assertThat(status).as("%s as %s", endpoint.getKey(), role).isEqualTo(403);
                }
            }
            assertThat(ask(StaffClient.with("matrix"), endpoint.getKey()).status())
                    .isEqualTo(403);
            assertThat(ask(new StaffClient(""), endpoint.getKey()).status()).isEqualTo(401);
        }
    }

    @Test
    void wrongTokensAreRefusedAlike() {
        // Given
        var issuer = Tokens.ofTest();
        var good = Claims.of("attacker", "compliance.search", "compliance.read", "compliance.erase", "auditor");
        var wrong = Stream.of(
                        Tokens.unsigned(good),
                        issuer.mixed(good),
                        issuer.withAnotherAlgorithm(good),
                        Tokens.stranger().token(good),
                        issuer.token(good.expired()),
                        issuer.token(good.audience("counterpoint-gateway")),
                        issuer.token(good.issuer("somebody")),
                        issuer.raw(
                                "{\"iss\":\"counterpoint-local\",\"aud\":\"counterpoint-audit\",\"sub\":\"attacker\","
                                        + "\"groups\":[\"compliance.read\"]}"),
                        issuer.raw(good.json().replace("\"sub\":\"attacker\",", "")),
                        issuer.raw(good.json().replace("\"attacker\"", "\" \"")),
                        cut(issuer.token(good)),
                        "nonsense",
                        "a.b.c")
                .toList();
        // Then
        assertThat(wrong).allSatisfy(token -> {
            for (var endpoint : ENDPOINTS.keySet()) {
                var answer = ask(new StaffClient(token), endpoint);
                assertThat(answer.status()).as(endpoint).isEqualTo(401);
                assertThat(answer.code()).isEqualTo("invalid_token");
                assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
            }
        });
        assertThat(StaffClient.with("attacker", "auditor").accessLog("").status())
                .isEqualTo(200);
    }

    @Test
    void aDeniedAttemptIsWrittenDownWithWhoAndWhat() {
        // When
        var denied = ask(StaffClient.with("curious", "auditor"), READ);
        // Then
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.code()).isEqualTo("missing_role");
        var entries = StaffClient.everything().accessLog("actor=curious").json().get("data");
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).get("action").asText()).isEqualTo("attempt");
        assertThat(entries.get(0).get("outcome").asText()).isEqualTo("denied");
        assertThat(entries.get(0).get("detail").asText()).isEqualTo(READ);
    }

    @Test
    void attemptsWithoutATokenAreWrittenDownAndCannotFillTheLog() {
        // Given
        long before = AuditTables.count("event where actor = 'unauthenticated'");
        // When
        long began = System.nanoTime();
        for (int i = 0; i < 60; i++) {
            ask(new StaffClient(""), READ);
        }
        long seconds = (System.nanoTime() - began) / 1_000_000_000;
        // Then
        long written = AuditTables.count("event where actor = 'unauthenticated'") - before;
        long sums = 1 + (seconds + 1) / 5; // one entry each five seconds counts those that have none
        assertThat(written).isBetween(1L, 10 * (seconds + 2) + sums);
    }

    @Test
    void whatIsNoEndpointIsAnsweredInTheSameShape() {
        var answer = StaffClient.everything().get("/audit/v1/nothing");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("not_found");
    }

    private static StaffClient.Answer ask(StaffClient staff, String endpoint) {
        var parts = endpoint.split(" ");
        return parts[0].equals("GET") ? staff.get(parts[1]) : staff.post(parts[1], "{}");
    }

    private static String cut(String token) {
        return token.substring(0, token.length() - 8);
    }
}
