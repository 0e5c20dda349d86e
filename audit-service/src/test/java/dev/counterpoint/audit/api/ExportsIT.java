package dev.counterpoint.audit.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.api.ExportFile.Identity;
import dev.counterpoint.auditlog.Commitment;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An export takes two persons, goes to its recipients only, and proves itself.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ExportsIT extends GrantRequests {
    private Identity recipient;

    @BeforeEach
    void makeKey() throws Exception {
        recipient = Identity.create();
    }

    @Test
    void anExportProvesItselfAndItsManifestIsInTheLog(@TempDir Path folder) throws Exception {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        staff.read(alice.id().toString());
        bus.append(bus.closing(alice, "written"));
        AuditTables.await(
                1,
                "event where action = 'response_closed' and response = ?",
                alice.id().toString());
        assertThat(staff.erase(tenant, "bob").status()).isEqualTo(200);
        var other = Identity.create();
        var asked = ask("export", "{}", recipients(recipient.recipient(), other.recipient()));
        assertThat(asked.json().path("records").asInt()).isEqualTo(2);
        // When
        var sealed = asker.get("/audit/v1/exports/" + approved(asked));
        // Then
        assertThat(sealed.status()).as(sealed.text()).isEqualTo(200);
        assertThat(sealed.text()).startsWith("age-encryption.org/v1").doesNotContain("a thought");
        var export = ExportFile.decrypted(sealed.http().body(), other, folder);
        assertThat(export.verified()).containsOnly(0);
        assertThat(export.content(alice.id().toString()).at("/segments/0/text").asText())
                .isEqualTo("a thought");
        assertThat(export.content(alice.id().toString())
                        .at("/record/closing/summary")
                        .asText())
                .isEqualTo(TestBus.SUMMARY);
        assertThat(export.content(bob.id().toString()).path("state").asText()).isEqualTo("erased");
        assertThat(export.files().keySet()).anyMatch(name -> name.startsWith("events/"));
        assertThat(export.text()).contains("complaint 4711").contains("CASE-8");
        var entry = staff.accessLog("action=export&tenant=" + tenant).json().at("/data/0");
        assertThat(entry.path("manifest").asText())
                .isEqualTo(HexFormat.of().formatHex(Commitment.to(export.file("manifest.json"))));
        assertThat(entry.path("records").asInt()).isEqualTo(2);
        assertThat(entry.path("detail").asText()).isEqualTo("opened=1");
        assertThat(entry.path("actor").asText()).isEqualTo("exporter");
        // Then a changed file is noticed
        var row = export.files().keySet().stream()
                .filter(name -> name.startsWith("records/"))
                .findFirst()
                .orElseThrow();
        var edited = new String(export.file(row), UTF_8).replace("completed", "cancelled");
        assertThat(export.with(row, edited.getBytes(UTF_8)).verified()).containsOnly(1);
        var name = "content/" + alice.id() + ".json";
        assertThat(export.with(name, "{}".getBytes(UTF_8)).verified()).containsOnly(1);
    }

    @Test
    void nobodyDownloadsWithoutASecondPersonOrInAnothersPlace() throws Exception {
        // Given
        stored(Asked.of(tenant, "alice"));
        var both = StaffClient.with("exporter", "compliance.export", "compliance.approve");
        var asked = ask("export", "{}", recipients(recipient.recipient()));
        var path = "/audit/v1/exports/" + id(asked);
        // When
        var early = asker.get(path);
        var alone = both.approve(id(asked));
        var late = asker.get(path);
        approved(asked);
        var other = StaffClient.with("other", "compliance.export").get(path);
        // Then
        assertThat(early.code()).isEqualTo("not_granted");
        assertThat(alone.code()).isEqualTo("second_person");
        assertThat(late.code()).isEqualTo("not_granted");
        assertThat(other.code()).isEqualTo("not_requester");
        assertThat(StaffClient.with("exporter", "compliance.read").get(path).status())
                .isEqualTo(403);
        assertThat(AuditTables.count("event where action = 'export' and outcome = 'denied' and tenant = ?", tenant))
                .isEqualTo(3);
        assertThat(asker.get(path).status()).isEqualTo(200);
        // When its requester ends it
        assertThat(asker.cancel(id(asked)).status()).isEqualTo(200);
        // Then
        assertThat(asker.get(path).code()).isEqualTo("not_granted");
        assertThat(asker.cancel(id(asked)).code()).isEqualTo("not_requested");
    }

    @Test
    void aSubjectGetsItsOwnRecordsWithoutStaff(@TempDir Path folder) throws Exception {
        // Given
        var alice = stored(Asked.of(tenant, "alice"));
        var bob = stored(Asked.of(tenant, "bob"));
        staff.read(alice.id().toString());
        var asked =
                ask("export", "{\"subject\":\"alice\"}", "\"for_subject\":true," + recipients(recipient.recipient()));
        assertThat(asked.text()).doesNotContain("alice");
        var shown = StaffClient.with("approver", "compliance.approve").get("/audit/v1/requests/" + id(asked));
        assertThat(shown.json().path("subject").asText()).isEqualTo("alice");
        // When
        var sealed = asker.get("/audit/v1/exports/" + approved(asked));
        // Then
        var export = ExportFile.decrypted(sealed.http().body(), recipient, folder);
        assertThat(export.verified()).containsOnly(0);
        assertThat(export.files()).containsKey("content/" + alice.id() + ".json");
        assertThat(export.text())
                .contains("a thought")
                .doesNotContain("complaint 4711")
                .doesNotContain("CASE-1")
                .doesNotContain("CASE-8")
                .doesNotContain("exporter")
                .doesNotContain(bob.id().toString());
        // When the subject is erased, although a hold came and went
        assertThat(staff.erase(tenant, "alice").status()).isEqualTo(200);
        AuditTables.await(1, "event where action = 'person_removed' and tenant = ?", tenant);
        // Then nothing is left to download
        assertThat(asker.get("/audit/v1/exports/" + id(asked)).code()).isEqualTo("not_granted");
    }

    @Test
    void aHoldDoesNotKeepRecordsFromBeingExported(@TempDir Path folder) throws Exception {
        stored(Asked.of(tenant, "alice"));
        var hold = "{\"tenant\":\"%s\",\"subject\":\"alice\",\"case_id\":\"C\",\"reason\":\"r\"}".formatted(tenant);
        assertThat(staff.post("/audit/v1/holds", hold).status()).isEqualTo(200);

        var sealed = asker.get("/audit/v1/exports/" + approved(ask("export", "{}", recipients(recipient.recipient()))));

        assertThat(ExportFile.decrypted(sealed.http().body(), recipient, folder).verified())
                .containsOnly(0);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                        | "recipients":[]                               | recipients
        {}                        | "recipients":["age1qqqq"]                     | recipients
        {}                        | "recipients":["ssh-ed25519 AAAA"]             | recipients
        {"tenant":"acme"}         | "recipients":["RECIPIENT"]                    | tenant
        {"limit":3}               | "recipients":["RECIPIENT"]                    | limit
        {"from":"today"}          | "recipients":["RECIPIENT"]                    | from
        {"subject_token":"x"}     | "recipients":["RECIPIENT"]                    | subject_token
        null                      | "recipients":["RECIPIENT"]                    | filter
        {}                        | "recipients":["RECIPIENT"],"for_subject":true | for_subject
        {}                        | "recipients":["RECIPIENT"],"literals":["x"]   | literals
        {}                        | "hold":"x"                                    | hold
        """)
    void anExportThatBreaksARuleIsRefused(String filter, String members, String field) {
        stored(Asked.of(tenant, "alice"));

        var answer = ask("export", filter, members.replace("RECIPIENT", recipient.recipient()));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.field()).isEqualTo(field);
    }

    private static String recipients(String... keys) {
        return "\"recipients\":[\"" + String.join("\",\"", keys) + "\"]";
    }
}
