package dev.counterpoint.audit.api;

import dev.counterpoint.audit.records.ErasureReceipt;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import org.jboss.resteasy.reactive.Cache;
import org.jspecify.annotations.Nullable;

/// The receipts of erasures; the request for one has the same id.
@Path("/audit/v1/erasures")
@Produces(MediaType.APPLICATION_JSON)
@Cache(noStore = true)
@RunOnVirtualThread
@RolesAllowed({StaffRoles.ERASE, StaffRoles.APPROVE, StaffRoles.AUDITOR})
class ErasuresResource {
    private final RequestService service;

    ErasuresResource(RequestService service) {
        this.service = service;
    }

    @GET
    public ResultPage<ErasureReceipt> newest(@QueryParam("limit") @Nullable String limit, @Context UriInfo url) {
        FieldValidation.parameters(url, Set.of("limit"));
        return new ResultPage<>(service.receipts(FieldValidation.limit(limit)), null);
    }

    @GET
    @Path("/{id}")
    public ErasureReceipt receipt(@PathParam("id") String id) {
        return service.receipt(FieldValidation.required("id", id));
    }
}
