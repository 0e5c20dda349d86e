package dev.counterpoint.local.canary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.local.LaunchedSuite;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A member of compliance staff: finds and reads what the audit service keeps.
public final class CanaryStaff {
    private static final Duration STORED_WITHIN = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int PAGE = 200;

    private final CanaryCaller caller;

    CanaryStaff(LaunchedSuite suite, Received received) {
        caller = new CanaryCaller(
                received,
                URI.create(suite.export("COUNTERPOINT_AUDIT_URL")),
                suite.export("COUNTERPOINT_COMPLIANCE_TOKEN"));
    }

    public CanaryStaff(LaunchedSuite suite) {
        this(suite, new Received());
    }

    /// Every record that there is, without its content.
    public List<JsonNode> all() {
        var all = new ArrayList<JsonNode>();
        var after = "";
        do {
            var page =
                    search("{\"limit\":%d%s}".formatted(PAGE, after.isEmpty() ? "" : ",\"after\":\"" + after + "\""));
            page.path("data").forEach(all::add);
            after = page.path("next").asText("");
        } while (!after.isEmpty());
        return all;
    }

    /// The records of one response, once there is one or it has been waited for long enough.
    public List<JsonNode> awaitRecords(String response) {
        long until = System.nanoTime() + STORED_WITHIN.toNanos();
        var found = records(response);
        while (found.isEmpty() && System.nanoTime() < until) {
            CanaryCaller.pause(POLL);
            found = records(response);
        }
        return found;
    }

    private List<JsonNode> records(String response) {
        var records = new ArrayList<JsonNode>();
        search("{\"response\":\"" + response + "\"}").path("data").forEach(records::add);
        return records;
    }

    private JsonNode search(String wanted) {
        var answer = caller.post("audit: search", "/audit/v1/records/search", wanted);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    /// Reads the reasoning of one response.
    String read(String response, String name) {
        var answer = caller.post(
                "audit: " + name,
                "/audit/v1/records/" + response + "/read",
                "{\"case_id\":\"CASE-1\",\"reason\":\"a test\"}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text();
    }
}
