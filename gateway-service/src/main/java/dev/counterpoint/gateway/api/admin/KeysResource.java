package dev.counterpoint.gateway.api.admin;

import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.tenancy.ApiKey;
import dev.counterpoint.gateway.tenancy.ApiKeys;
import dev.counterpoint.gateway.tenancy.AuditSetting;
import dev.counterpoint.gateway.tenancy.NewKey;
import dev.counterpoint.gateway.tenancy.Scope;
import dev.counterpoint.gateway.tenancy.TenantName;
import dev.counterpoint.gateway.tenancy.Tenants;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Administers the keys of one tenant.
@Path("/admin/tenants/{tenant}/keys")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class KeysResource {
    private static final Set<String> MEMBERS = Set.of("name", "project", "scopes", "audit", "expires_at");
    private static final int NAME_MAX = 100;

    private final Tenants tenants;
    private final ApiKeys keys;

    KeysResource(Tenants tenants, ApiKeys keys) {
        this.tenants = tenants;
        this.keys = keys;
    }

    /// Makes a key; without `scopes` it may read summaries.
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(@PathParam("tenant") String tenant, byte[] body) {
        var wanted = wanted(AdminRequest.of(body, MEMBERS));
        requireTenant(tenant);
        var key = ApiKey.create();
        var row = keys.create(tenant, key, wanted);
        return JsonAnswer.of(201, new AdminViews.CreatedKey(AdminViews.Key.of(row), key.secret()));
    }

    @GET
    public Response list(
            @PathParam("tenant") String tenant,
            @QueryParam("after") @Nullable String after,
            @QueryParam("limit") @Nullable String limit) {
        var page = AdminPageLimit.parse(limit);
        requireTenant(tenant);
        return page.answer(
                keys.list(tenant, after, page.fetch()).stream()
                        .map(AdminViews.Key::of)
                        .toList(),
                AdminViews.Key::id);
    }

    /// Changes the limits that the body names; null takes one away.
    @PATCH
    @Path("{key}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response change(@PathParam("tenant") String tenant, @PathParam("key") String id, byte[] body) {
        var wanted = AdminRequest.of(body, Set.of()).limits();
        requireTenant(tenant);
        var changed = keys.change(tenant, id, wanted)
                .orElseThrow(() -> new ProblemException(Problem.notFound("API key '" + id + "'")));
        return JsonAnswer.ok(AdminViews.Key.of(changed));
    }

    @DELETE
    @Path("{key}")
    public Response revoke(@PathParam("tenant") String tenant, @PathParam("key") String id) {
        requireTenant(tenant);
        if (!keys.revoke(tenant, id)) {
            throw new ProblemException(Problem.notFound("API key '" + id + "'"));
        }
        return JsonAnswer.ok(new AdminViews.Deleted(id, "api_key.deleted", true));
    }

    private void requireTenant(String tenant) {
        if (tenants.find(tenant).isEmpty()) {
            throw TenantsResource.missing(tenant);
        }
    }

    private static NewKey wanted(AdminRequest members) {
        var scopes = members.names(
                        "scopes", Scope::named, "a list of 'reasoning:summary', 'reasoning:raw' and 'webhooks'")
                .orElse(List.of(Scope.REASONING_SUMMARY));
        var audit = members.text("audit", NAME_MAX).map(KeysResource::audit).orElse(AuditSetting.ASK);
        var name = members.text("name", NAME_MAX).orElse("");
        return new NewKey(
                name, project(members), Set.copyOf(scopes), audit, members.future("expires_at"), members.limits());
    }

    private static String project(AdminRequest members) {
        var name = members.text("project", NAME_MAX).orElse(Owner.DEFAULT_PROJECT);
        if (!TenantName.isValid(name)) {
            throw AdminRequest.invalid("project", "a name that matches " + TenantName.FORM);
        }
        return name;
    }

    private static AuditSetting audit(String name) {
        return Arrays.stream(AuditSetting.values())
                .filter(setting -> setting.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> AdminRequest.invalid("audit", "'never', 'ask' or 'always'"));
    }
}
