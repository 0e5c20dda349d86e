package dev.counterpoint.audit.api;

import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.Erasure;
import dev.counterpoint.audit.records.ErasureDecision;
import dev.counterpoint.audit.records.ErasureReceipt;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.audit.records.KeyTableVacuum;
import dev.counterpoint.audit.records.RequestedErasure;
import dev.counterpoint.servicekit.ProblemException;
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
import org.jboss.resteasy.reactive.Cache;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The endpoints that ask for an erasure, approve or cancel it, and read its receipt.
@Path("/audit/v1/erasures")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Cache(noStore = true)
@RunOnVirtualThread
class ErasuresResource {
    private static final Logger LOG = LoggerFactory.getLogger(ErasuresResource.class);

    private final RecordService service;
    private final ErasureStore erasures;
    private final KeyTableVacuum vacuum;

    ErasuresResource(RecordService service, ErasureStore erasures, KeyTableVacuum vacuum) {
        this.service = service;
        this.erasures = erasures;
        this.vacuum = vacuum;
    }

    /// 202 with the request where a second person has to approve it, else 200 with the receipt.
    @POST
    @RolesAllowed(StaffRoles.ERASE)
    public RestResponse<?> ask(@Nullable ErasureRequest request) {
        var order = FieldValidation.body(request);
        if (service.approvalDue()) {
            return RestResponse.status(RestResponse.Status.ACCEPTED, service.askErasure(order));
        }
        return RestResponse.ok(erased(service.erase(order)));
    }

    /// Lists the erasures that a restore lost; a second person approves the list as an erasure.
    @POST
    @Path("/lost")
    @RolesAllowed(StaffRoles.ERASE)
    public RestResponse<RequestedErasure> askLost(@Nullable LostErasuresRequest request) {
        return RestResponse.status(RestResponse.Status.ACCEPTED, service.askLost(FieldValidation.body(request)));
    }

    @GET
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public ResultPage<RequestedErasure> open(@QueryParam("limit") @Nullable String limit, @Context UriInfo url) {
        FieldValidation.parameters(url, Set.of("limit"));
        return new ResultPage<>(service.openErasures(FieldValidation.limit(limit)), null);
    }

    @POST
    @Path("/{id}/approve")
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed(StaffRoles.APPROVE)
    public Erasure approve(@PathParam("id") String id) {
        return switch (service.approve(FieldValidation.required("id", id))) {
            case ErasureDecision.Erased(ErasureReceipt receipt) -> erased(receipt);
            case ErasureDecision.Confirmed(RequestedErasure list) -> list;
            case ErasureDecision decision -> throw refused(decision);
        };
    }

    @POST
    @Path("/{id}/cancel")
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.APPROVE})
    public RequestedErasure cancel(@PathParam("id") String id) {
        return switch (service.cancel(FieldValidation.required("id", id))) {
            case ErasureDecision.Cancelled(RequestedErasure request) -> request;
            case ErasureDecision decision -> throw refused(decision);
        };
    }

    private static ProblemException refused(ErasureDecision decision) {
        return new ProblemException(
                switch (decision) {
                    case ErasureDecision.SamePerson _ -> AuditProblem.secondPerson();
                    case ErasureDecision.NotOpen(RequestedErasure request) ->
                        AuditProblem.notRequested(request.status());
                    case ErasureDecision.Absent _ -> AuditProblem.notFound("This erasure");
                    case ErasureDecision.Erased _, ErasureDecision.Confirmed _, ErasureDecision.Cancelled _ ->
                        throw new IllegalStateException("a decision that was made is no refusal");
                });
    }

    private ErasureReceipt erased(ErasureReceipt receipt) {
        LOG.info("erased receipt={} tenant={} keys={}", receipt.id(), receipt.tenant(), receipt.keysDestroyed());
        erasures.publish(receipt.id());
        vacuum.runIfDue();
        return receipt;
    }

    @GET
    @Path("/{id}")
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public Erasure erasure(@PathParam("id") String id) {
        return service.erasure(FieldValidation.required("id", id))
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This receipt")));
    }
}
