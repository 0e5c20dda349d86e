package dev.counterpoint.audit.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.audit.records.KeyTableVacuum;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.Cache;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The endpoints that ask for an action, approve or cancel it.
@Path("/audit/v1/requests")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Cache(noStore = true)
@RunOnVirtualThread
public class RequestsResource {
    private static final Logger LOG = LoggerFactory.getLogger(RequestsResource.class);

    private final RequestService service;
    private final ErasureStore erasures;
    private final KeyTableVacuum vacuum;

    RequestsResource(RequestService service, ErasureStore erasures, KeyTableVacuum vacuum) {
        this.service = service;
        this.erasures = erasures;
        this.vacuum = vacuum;
    }

    /// 202 where a second person has to approve it, else 200 with what was done.
    @POST
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.HOLD, StaffRoles.EXPORT, StaffRoles.READ})
    public RestResponse<ObjectNode> ask(@Nullable NewRequest request) {
        var answer = service.ask(FieldValidation.body(request));
        return answer.erased() == null
                ? RestResponse.status(RestResponse.Status.ACCEPTED, answer.request())
                : RestResponse.ok(committed(answer));
    }

    @GET
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({
        StaffRoles.ERASE,
        StaffRoles.HOLD,
        StaffRoles.EXPORT,
        StaffRoles.READ,
        StaffRoles.APPROVE,
        StaffRoles.AUDITOR
    })
    public ResultPage<ObjectNode> newest(
            @QueryParam("status") @Nullable String status,
            @QueryParam("limit") @Nullable String limit,
            @Context UriInfo url) {
        FieldValidation.parameters(url, Set.of("status", "limit"));
        boolean open = FieldValidation.oneOf("status", status, Stream.of("requested")) != null;
        return new ResultPage<>(service.newest(open, FieldValidation.limit(limit)), null);
    }

    @GET
    @Path("/{id}")
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({
        StaffRoles.ERASE,
        StaffRoles.HOLD,
        StaffRoles.EXPORT,
        StaffRoles.READ,
        StaffRoles.APPROVE,
        StaffRoles.AUDITOR
    })
    public ObjectNode request(@PathParam("id") String id) {
        return service.find(FieldValidation.required("id", id));
    }

    @POST
    @Path("/{id}/approve")
    @RolesAllowed(StaffRoles.APPROVE)
    public ObjectNode approve(@PathParam("id") String id, @Nullable DecisionReason why) {
        var reason = FieldValidation.reason(why == null ? null : why.reason());
        boolean override = why != null && Boolean.TRUE.equals(why.overrideRetention());
        return committed(service.approve(FieldValidation.required("id", id), reason, override));
    }

    @POST
    @Path("/{id}/cancel")
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.HOLD, StaffRoles.EXPORT, StaffRoles.READ, StaffRoles.APPROVE})
    public ObjectNode cancel(@PathParam("id") String id, @Nullable DecisionReason why) {
        var reason = why == null || why.reason() == null ? null : FieldValidation.reason(why.reason());
        return service.cancel(FieldValidation.required("id", id), reason).request();
    }

    /// Publishes an erasure that is committed, and rewrites the table of keys.
    private ObjectNode committed(RequestService.Answer answer) {
        var receipt = answer.erased();
        if (receipt != null) {
            LOG.info("erased receipt={} tenant={} keys={}", receipt.id(), receipt.tenant(), receipt.keysDestroyed());
            erasures.publish(receipt.id());
            vacuum.runIfDue();
        }
        return answer.request();
    }
}
