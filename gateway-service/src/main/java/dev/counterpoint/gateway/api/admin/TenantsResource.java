package dev.counterpoint.gateway.api.admin;

import dev.counterpoint.bus.audit.AccessEntry.Action;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.tenancy.TenantName;
import dev.counterpoint.gateway.tenancy.TenantRow;
import dev.counterpoint.gateway.tenancy.Tenants;
import dev.counterpoint.gateway.turn.AccessRecorder;
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
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Administers the tenants.
@Path("/admin/tenants")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class TenantsResource {
    private static final String WRITTEN_SUMMARIES = "written_summaries";
    private static final Set<String> MEMBERS = Set.of("name", "audit_opt_in", WRITTEN_SUMMARIES);
    private static final int NAME_MAX = 63;
    private static final int AGREED_BY_MAX = 200;

    private final Tenants tenants;
    private final AccessRecorder accesses;

    TenantsResource(Tenants tenants, AccessRecorder accesses) {
        this.tenants = tenants;
        this.accesses = accesses;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(byte[] body) {
        var members = AdminRequest.of(body, MEMBERS);
        var name = members.requiredText("name", NAME_MAX);
        if (!TenantName.isValid(name)) {
            throw AdminRequest.invalid("name", "letters, digits, '.', '_' and '-', beginning with a letter or digit");
        }
        var settings = settings(members);
        var created = tenants.create(name, settings)
                .orElseThrow(() -> new ProblemException(
                        Problem.conflict("name", "There is a tenant named '" + name + "' already.")));
        return JsonAnswer.of(201, AdminViews.Tenant.of(created));
    }

    @GET
    public Response list(@QueryParam("after") @Nullable String after, @QueryParam("limit") @Nullable String limit) {
        var page = AdminPageLimit.parse(limit);
        return page.answer(
                tenants.list(after, page.fetch()).stream()
                        .map(AdminViews.Tenant::of)
                        .toList(),
                AdminViews.Tenant::id);
    }

    @GET
    @Path("{tenant}")
    public Response read(@PathParam("tenant") String id) {
        return JsonAnswer.ok(AdminViews.Tenant.of(tenants.find(id).orElseThrow(() -> missing(id))));
    }

    /// Changes what the body names; null removes a limit or withdraws the audit opt-in.
    @PATCH
    @Path("{tenant}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response change(@PathParam("tenant") String id, byte[] body) {
        var members = AdminRequest.of(body, MEMBERS);
        if (members.has("name")) {
            throw AdminRequest.invalid("name", "no name: a tenant keeps its own");
        }
        var changed = tenants.change(id, settings(members)).orElseThrow(() -> missing(id));
        return JsonAnswer.ok(AdminViews.Tenant.of(changed));
    }

    @DELETE
    @Path("{tenant}")
    public Response delete(@PathParam("tenant") String id) {
        tenants.change(id, tenant -> agree(tenant, null));
        if (!tenants.delete(id)) {
            throw missing(id);
        }
        return JsonAnswer.ok(new AdminViews.Deleted(id, "tenant.deleted", true));
    }

    private Consumer<TenantRow> settings(AdminRequest members) {
        var limits = members.limits();
        var agreedBy = members.object("audit_opt_in")
                .map(optIn -> {
                    var by = optIn.path("agreed_by");
                    if (optIn.size() != 1
                            || !by.isTextual()
                            || by.textValue().isBlank()
                            || by.textValue().length() > AGREED_BY_MAX) {
                        throw AdminRequest.invalid("audit_opt_in.agreed_by", "who agreed, and nothing else");
                    }
                    return by.textValue();
                })
                .orElse(null);
        var written = members.flag(WRITTEN_SUMMARIES);
        return tenant -> {
            limits.accept(tenant.limits());
            written.ifPresent(allowed -> tenant.writtenSummaries = allowed);
            if (members.has("audit_opt_in")) {
                agree(tenant, agreedBy);
            }
        };
    }

    /// Within the transaction that changes the tenant.
    private void agree(TenantRow tenant, @Nullable String by) {
        var ended = tenant.auditOptInId;
        tenant.agreeToAudit(by);
        if (ended != null) {
            accesses.awaitConsent(Action.CONSENT_ENDED, ended, tenant.id, "admin");
        }
        if (by != null && tenant.auditOptInId != null) {
            accesses.awaitConsent(Action.CONSENT_GIVEN, tenant.auditOptInId, tenant.id, by);
        }
    }

    static ProblemException missing(String id) {
        return new ProblemException(Problem.notFound("Tenant '" + id + "'"));
    }
}
