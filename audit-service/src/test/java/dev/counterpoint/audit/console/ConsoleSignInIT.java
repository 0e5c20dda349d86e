package dev.counterpoint.audit.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.ConsoleBrowser;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.infra.LocalIssuer;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The ways into the console and out of it.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ConsoleSignInIT implements AuditParts.NeedsIssuer {
    private @Nullable LocalIssuer issuer;

    @Override
    public void accept(LocalIssuer given) {
        issuer = given;
    }

    @Test
    void signsInAtTheIssuerWithACodeAndPkce() {
        // When
        var asks = new ConsoleBrowser().get("/console/log");
        var page = ConsoleBrowser.signedIn("Ada").get("/console");
        // Then
        assertThat(asks.first().statusCode()).isEqualTo(302);
        assertThat(asks.first().headers().firstValue("Location").orElseThrow())
                .startsWith(Objects.requireNonNull(issuer).address() + "/authorize")
                .contains("code_challenge_method=S256")
                .contains("nonce=");
        assertThat(page.text()).contains("Signed in as <strong>ada</strong>").contains("Health of the log");
        assertThat(page.text()).contains("href=\"/console/log\"").doesNotContain("Place a hold");
    }

    @Test
    void cookiesAreForTheConsoleAlone() {
        var cookies = ConsoleBrowser.signedIn("Ada").cookies();

        assertThat(cookies)
                .anyMatch(cookie -> cookie.getName().startsWith("q_session"))
                .allMatch(cookie -> cookie.isHttpOnly() && cookie.getPath().equals("/console"));
    }

    @Test
    void aFormAfterTheEndOfTheSessionIsRefusedAndNotSentOn() {
        var answer = new ConsoleBrowser().post("/console/holds", "tenant", "t");

        assertThat(answer.first().statusCode()).isEqualTo(401);
        assertThat(answer.text()).contains("Your session has ended");
    }

    @Test
    void whoHasNoRoleIsRefusedAndOnRecord() {
        var refused = ConsoleBrowser.signedIn("Amir").get("/console/log");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).contains("You may not do this");
        assertThat(StaffClient.everything()
                        .accessLog("actor=amir&action=attempt")
                        .text())
                .contains("GET /console/log");
    }

    @Test
    void afterSigningOutNothingIsShown() {
        // Given
        var olga = ConsoleBrowser.signedIn("Olga");
        // When
        var out = olga.get("/console/sign-out");
        // Then
        assertThat(out.text()).contains("You are signed out");
        assertThat(olga.get("/console").text()).contains("Sign in to Counterpoint");
        assertThat(olga.cookies()).noneMatch(cookie -> cookie.getName().startsWith("q_session"));
    }

    @Test
    void whoIsSignedOutAtTheIssuerSeesNothingMore() {
        // Given
        var ada = ConsoleBrowser.signedIn("Ada");
        var olga = ConsoleBrowser.signedIn("Olga");
        assertThat(ada.get("/console").text()).contains("Signed in as");
        // When
        Objects.requireNonNull(issuer).signOut("Ada");
        // Then
        assertThat(ada.get("/console").text())
                .contains("Sign in to Counterpoint")
                .doesNotContain("Signed in as");
        assertThat(olga.get("/console").text()).contains("Signed in as <strong>olga</strong>");
    }
}
