package dev.counterpoint.audit.api;

import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.ErasureReceipt;
import dev.counterpoint.audit.records.KeyTableVacuum;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.Cache;
import org.jspecify.annotations.Nullable;

/// The endpoints that erase a subject and read a receipt.
@Path("/audit/v1/erasures")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Cache(noStore = true)
@RunOnVirtualThread
class ErasuresResource {
    private static final Logger LOG = Logger.getLogger(ErasuresResource.class);

    private final RecordService service;
    private final KeyTableVacuum vacuum;

    @Inject
    ErasuresResource(RecordService service, KeyTableVacuum vacuum) {
        this.service = service;
        this.vacuum = vacuum;
    }

    @POST
    @RolesAllowed(StaffRoles.ERASE)
    public ErasureReceipt erase(@Nullable ErasureRequest request) {
        var receipt = service.erase(FieldValidation.body(request));
        LOG.infof("erased receipt=%s tenant=%s keys=%d", receipt.id(), receipt.tenant(), receipt.keysDestroyed());
        vacuum.runIfDue();
        return receipt;
    }

    @GET
    @Path("/{id}")
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.AUDITOR})
    public ErasureReceipt receipt(@PathParam("id") String id) {
        return service.receipt(FieldValidation.required("id", id))
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This receipt")));
    }
}
