package dev.counterpoint.local.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.LaunchedSuite;

/// A tenant that agreed to audits, whose keys leave it to the request, and to summaries that a model writes where the
/// deployment has such.
public final class OptedInTenant {
    private final CanaryCaller admin;
    private final String id;

    private OptedInTenant(CanaryCaller admin, String id) {
        this.admin = admin;
        this.id = id;
    }

    public static OptedInTenant create(LaunchedSuite suite) {
        var admin = new CanaryCaller(new Received(), suite.gateway(), suite.export("COUNTERPOINT_ADMIN_TOKEN"));
        var created = admin.post(
                "tenant",
                "/admin/tenants",
                "{\"name\":\"acme-%d\",\"written_summaries\":true,\"audit_opt_in\":{\"agreed_by\":\"its owner\"}}"
                        .formatted(System.nanoTime()));
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        return new OptedInTenant(admin, created.json().path("id").asText());
    }

    public String id() {
        return id;
    }

    /// One of its API keys.
    public record Key(String id, String secret) {
        @Override
        public String toString() {
            return id;
        }
    }

    /// A new API key with these scopes.
    public Key key(String scopes) {
        var created = admin.post(
                "key",
                "/admin/tenants/" + id + "/keys",
                "{\"name\":\"test\",\"scopes\":[%s],\"audit\":\"ask\"}".formatted(scopes));
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        return new Key(
                created.json().findValue("id").asText(),
                created.json().path("secret").asText());
    }
}
