package dev.counterpoint.audit.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.ConsoleBrowser;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.TlogProof;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What people do in the console, without scripts.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ConsoleIT {
    private static final String[] WHY = {"case_id", "CASE-50", "reason", "complaint 4711"};

    private final String tenant = "tenant-" + UUID.randomUUID();
    private TestBus bus;

    @BeforeEach
    void open() {
        bus = TestBus.ofTest();
    }

    @AfterEach
    void close() {
        bus.close();
    }

    private Asked stored(String user, String... reasoning) {
        var asked = Asked.of(tenant, user);
        bus.append(bus.whole(asked, reasoning));
        AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        return asked;
    }

    private static String[] fields(String... first) {
        return Stream.of(first, WHY).flatMap(Stream::of).toArray(String[]::new);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "/console",
                "/console/search",
                "/console/requests",
                "/console/holds",
                "/console/erasures",
                "/console/log",
                "/console/health",
                "/console/signed-out",
                "/console/assets/console.css",
                "/console/assets/console.js",
                "/console/nothing",
                "/console/requests/nothing",
                "/console/search?search=nothing"
            })
    void everyAnswerHasItsHeaders(String path) {
        // When
        var pages = List.of(ConsoleBrowser.signedIn("Eve").get(path), new ConsoleBrowser().get(path));
        // Then
        assertThat(pages.getFirst().status()).as(pages.getFirst().text()).isIn(200, 404, 410);
        for (var page : pages) {
            ConsoleRoutes.HEADERS.forEach((name, value) ->
                    assertThat(page.first().headers().allValues(name)).as(name).containsExactly(value));
            assertThat(page.text())
                    .doesNotContain(" style=")
                    .doesNotContain("<script>")
                    .doesNotContain(" onclick=");
        }
    }

    @Test
    void aNameIsSearchedForWithoutStandingInAnAddressOrAnEntry() {
        // Given
        var name = "alice-" + UUID.randomUUID();
        var asked = stored(name, "a thought");
        var olga = ConsoleBrowser.signedIn("Olga");
        // When
        olga.get("/console/search");
        var found = olga.post("/console/search", "tenant", tenant, "subject", name, "model", "");
        // Then
        assertThat(found.status()).as(found.text()).isEqualTo(200);
        assertThat(found.text()).contains("/console/records/" + asked.id());
        assertThat(found.address().toString())
                .contains("/console/search?search=")
                .doesNotContain(name);
        var entry = StaffClient.everything().accessLog("actor=olga&action=search&tenant=" + tenant);
        assertThat(entry.json().path("data")).hasSize(1);
        assertThat(entry.text()).doesNotContain(name);
        // and nobody else may follow the address
        assertThat(ConsoleBrowser.signedIn("Amir")
                        .get(found.address().toString())
                        .status())
                .isEqualTo(410);
    }

    @Test
    void aWrongSearchShowsItsRuleAndWhatWasFilledIn() {
        var olga = ConsoleBrowser.signedIn("Olga");
        olga.get("/console/search");

        var refused = olga.post("/console/search", "subject", "alice", "model", "my-model");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("required with &#39;subject&#39;").contains("value=\"my-model\"");
    }

    @Test
    void readingNamesTheReaderAndShowsHostileTextAsText() {
        // Given
        var hostile = "<script>alert(1)</script>\n<img src=x onerror=alert(2)>\u202etxt.exe\u0007 {staff} "
                + "long ".repeat(2_000);
        var asked = stored("alice", hostile);
        bus.append(bus.closing(asked, "written"));
        AuditTables.await(1, "event where id = ?", "response_closed_" + asked.id());
        var olga = ConsoleBrowser.signedIn("Olga");
        var path = "/console/records/" + asked.id();
        // When
        var record = olga.get(path);
        var content = olga.post(path + "/read", WHY);
        // Then
        assertThat(record.text()).contains("Read it").contains(tenant).doesNotContain("alert(1)");
        assertThat(content.status()).as(content.text()).isEqualTo(200);
        assertThat(content.first().statusCode()).isEqualTo(303);
        assertThat(content.text())
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .contains("⟦U+202E⟧txt.exe⟦U+0007⟧ {staff}")
                .contains(TestBus.SUMMARY)
                .doesNotContain("<script>alert")
                .doesNotContain("<img");
        var entries = StaffClient.everything().accessLog("action=read&response=" + asked.id());
        var entry = entries.json().at("/data/0");
        assertThat(entry.path("actor").asText()).isEqualTo("olga");
        assertThat(entry.path("case_id").asText()).isEqualTo("CASE-50");
        var band = "Read by olga at";
        assertThat(content.text().split(band, -1)).hasSizeGreaterThan(5);
        assertThat(content.text()).contains("entry " + entry.path("id").asText());
        // When it is loaded again
        olga.get(content.address().toString());
        // Then
        assertThat(StaffClient.everything()
                        .accessLog("action=read&response=" + asked.id())
                        .json()
                        .path("data"))
                .hasSize(2);
    }

    @Test
    void readingWithoutACaseIsRefusedAndOnRecord() {
        var asked = stored("alice", "a thought");
        var olga = ConsoleBrowser.signedIn("Olga");
        olga.get("/console/records/" + asked.id());

        var refused = olga.post("/console/records/" + asked.id() + "/read", "case_id", "CASE-1", "reason", "·");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text())
                .contains("reason")
                .contains("value=\"CASE-1\"")
                .doesNotContain("a thought");
        assertThat(StaffClient.everything()
                        .accessLog("actor=olga&outcome=denied&response=" + asked.id())
                        .json()
                        .path("data"))
                .hasSize(1);
    }

    @Test
    void oneAsksAnotherApprovesAndTheReceiptIsShown() {
        // Given
        var asked = stored("alice", "a thought");
        var eve = ConsoleBrowser.signedIn("Eve");
        eve.get("/console/erasures");
        // When
        var own = eve.post("/console/requests", fields("action", "erase", "tenant", tenant, "subject", "alice"));
        var path = own.address().getPath();
        var refused = eve.post(path + "/approve", "reason", "it is justified");
        // Then
        assertThat(own.text()).contains("You asked for this yourself").doesNotContain(path + "/approve");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).contains("You asked for this yourself.").contains("another person");
        // When
        var amir = ConsoleBrowser.signedIn("Amir");
        var waiting = amir.get("/console");
        var request = amir.get(path);
        var approved = amir.post(path + "/approve", "reason", "it is justified");
        // Then
        assertThat(waiting.text()).contains(path).contains("Waits for you");
        assertThat(request.text()).contains("alice").contains("complaint 4711").contains("Reject");
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        assertThat(approved.text())
                .contains("approved")
                .contains("keys destroyed")
                .contains("it is justified");
        var receipt = amir.get(path.replace("requests", "erasures"));
        assertThat(receipt.text()).contains("amir").contains("CASE-50");
        assertThat(amir.get("/console/erasures").text()).contains(path.replace("requests", "erasures"));
        var gone = eve.post("/console/records/" + asked.id() + "/read", WHY);
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.text()).contains("was erased");
    }

    @Test
    void aHoldRefusesAnErasureUntilTwoReleaseIt() {
        // Given
        stored("alice", "a thought");
        var olga = ConsoleBrowser.signedIn("Olga");
        var amir = ConsoleBrowser.signedIn("Amir");
        olga.get("/console/holds");
        // When
        var held = olga.post("/console/holds", fields("tenant", tenant, "subject", "alice"));
        var erasure = olga.post("/console/requests", fields("action", "erase", "tenant", tenant, "subject", "alice"));
        var path = erasure.address().getPath();
        var request = amir.get(path);
        var refused = amir.post(path + "/approve", "reason", "it is justified");
        // Then
        assertThat(held.text()).contains("case CASE-50").contains("Ask for its release");
        assertThat(request.text()).contains("Holds in this tenant").contains("placed by olga");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("held for case CASE-50");
        // When
        var hold = match(held.text(), "name=\"hold\" value=\"([^\"]+)\"");
        var release = olga.post("/console/requests", fields("action", "release-hold", "hold", hold));
        var released = amir.post(release.address().getPath() + "/approve", "reason", "closed");
        var rejected = amir.post(path + "/cancel", "reason", "not needed any more");
        // Then
        assertThat(released.text()).contains("approved");
        assertThat(rejected.text()).contains("cancelled").contains("not needed any more");
        assertThat(olga.get("/console/holds").text()).contains("released");
    }

    @Test
    void theEventPageProvesItsEntryWithoutTheService() {
        // Given
        var asked = stored("alice", "a thought");
        StaffClient.everything().read(asked.id().toString());
        var ada = ConsoleBrowser.signedIn("Ada");
        // When
        var log = ada.get("/console/log?actor=&action=read&response=" + asked.id());
        var event = ada.get(match(log.text(), "href=\"(/console/log/[0-9a-f-]{36})\""));
        // Then
        assertThat(log.status()).as(log.text()).isEqualTo(200);
        var texts = Pattern.compile("<pre class=\"proof\">([^<]*)</pre>").matcher(event.text());
        assertThat(texts.find()).as(event.text()).isTrue();
        var leaf = MerkleHash.ofLeaf(plain(texts.group(1)).getBytes(StandardCharsets.UTF_8));
        assertThat(texts.find()).isTrue();
        var proof = TlogProof.parse(plain(texts.group(1)).getBytes(StandardCharsets.UTF_8));
        assertThat(proof.inclusion()
                        .proves(leaf, Checkpoint.parse(proof.note().text()).root()))
                .isTrue();
        assertThat(ada.get("/console/log?actr=x").status()).isEqualTo(400);
    }

    private static String plain(String html) {
        return html.replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&lt;", "<")
                .replace("&amp;", "&");
    }

    private static String match(String text, String pattern) {
        var found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "/console/search",
                "/console/records/000000000000000000000000000000000000000000000000/read",
                "/console/requests",
                "/console/requests/1/approve",
                "/console/requests/1/cancel",
                "/console/holds"
            })
    void aForgedFormDoesNothing(String path) {
        // Given
        stored("alice", "a thought");
        var eve = ConsoleBrowser.signedIn("Eve");
        eve.get("/console/search");
        var olga = ConsoleBrowser.signedIn("Olga");
        olga.get("/console/search");
        var fields = fields("action", "erase", "tenant", tenant, "subject", "alice");
        // When
        var answers = List.of(
                eve.forge("", "same-origin", path, fields),
                eve.forge(olga.formToken(), "same-origin", path, fields),
                eve.forge(eve.formToken(), "cross-site", path, fields),
                eve.forge(eve.formToken(), "same-site", path, fields));
        // Then
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text()).contains("forged_form").doesNotContain("records/search");
        });
        assertThat(StaffClient.everything()
                        .accessLog("actor=eve&tenant=" + tenant)
                        .json()
                        .path("data"))
                .isEmpty();
        assertThat(StaffClient.everything()
                        .accessLog("actor=eve&action=attempt&outcome=denied")
                        .text())
                .contains("POST " + path + " forged_form");
    }

    /// Only the access token has the claim.
    @Test
    void whoMaySeeOneTenantSeesNoOther() {
        // Given
        var asked = stored("alice", "a thought");
        // When
        var page = ConsoleBrowser.signedIn("Ivan").get("/console/records/" + asked.id());
        // Then
        assertThat(page.text()).contains("No such record exists for you").doesNotContain(tenant);
    }
}
