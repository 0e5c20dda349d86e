package dev.counterpoint.audit.api;

import dev.counterpoint.audit.problem.Problem;
import dev.counterpoint.audit.problem.ProblemException;
import dev.counterpoint.audit.records.ErasureReceipt;
import dev.counterpoint.audit.records.KeyTableVacuum;
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
import java.sql.SQLException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/// Erase a subject, and read the receipt.
@Path("/audit/v1/erasures")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
class ErasuresResource {
    private static final Logger LOG = Logger.getLogger(ErasuresResource.class);

    private final RecordService desk;
    private final KeyTableVacuum purge;

    @Inject
    ErasuresResource(RecordService desk, KeyTableVacuum purge) {
        this.desk = desk;
        this.purge = purge;
    }

    @POST
    @RolesAllowed(StaffRoles.ERASE)
    public RestResponse<ErasureReceipt> erase(@Nullable ErasureRequest request) {
        var receipt = desk.erase(FieldValidation.body(request));
        LOG.infof("erased receipt=%s tenant=%s keys=%d", receipt.id(), receipt.tenant(), receipt.keysDestroyed());
        try {
            purge.run();
        } catch (SQLException e) {
            LOG.warnf("purge is due again receipt=%s cause=%s", receipt.id(), e.getSQLState());
        }
        return UncachedResponse.ok(receipt);
    }

    @GET
    @Path("/{id}")
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.AUDITOR})
    public RestResponse<ErasureReceipt> receipt(@PathParam("id") String id) {
        return UncachedResponse.ok(desk.receipt(FieldValidation.required("id", id))
                .orElseThrow(() -> new ProblemException(Problem.notFound("This receipt"))));
    }
}
