package dev.counterpoint.audit.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import org.jboss.resteasy.reactive.Cache;
import org.jspecify.annotations.Nullable;

/// Places and lists holds. A request with the action `release-hold` releases one.
@Path("/audit/v1/holds")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Cache(noStore = true)
@RunOnVirtualThread
class HoldsResource {
    private final HoldService service;

    HoldsResource(HoldService service) {
        this.service = service;
    }

    @POST
    @RolesAllowed(StaffRoles.HOLD)
    public ObjectNode place(@Nullable NewHold hold) {
        return service.place(FieldValidation.body(hold));
    }

    @GET
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({StaffRoles.HOLD, StaffRoles.ERASE, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public ResultPage<ObjectNode> newest(
            @QueryParam("tenant") @Nullable String tenant,
            @QueryParam("limit") @Nullable String limit,
            @Context UriInfo url) {
        FieldValidation.parameters(url, Set.of("tenant", "limit"));
        return new ResultPage<>(
                service.newest(FieldValidation.optional("tenant", tenant), FieldValidation.limit(limit)), null);
    }
}
