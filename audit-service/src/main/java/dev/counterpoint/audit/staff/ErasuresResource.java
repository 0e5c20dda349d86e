package dev.counterpoint.audit.staff;

import dev.counterpoint.audit.ledger.Purge;
import dev.counterpoint.audit.ledger.Receipt;
import dev.counterpoint.audit.problem.AuditProblem;
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

    private final Desk desk;
    private final Purge purge;

    @Inject
    ErasuresResource(Desk desk, Purge purge) {
        this.desk = desk;
        this.purge = purge;
    }

    @POST
    @RolesAllowed(Roles.ERASE)
    public RestResponse<Receipt> erase(@Nullable ErasureRequest request) {
        var receipt = desk.erase(Check.body(request));
        LOG.infof("erased receipt=%s tenant=%s keys=%d", receipt.id(), receipt.tenant(), receipt.keysDestroyed());
        try {
            purge.run();
        } catch (SQLException e) {
            LOG.warnf("purge is due again receipt=%s cause=%s", receipt.id(), e.getSQLState());
        }
        return Answer.ok(receipt);
    }

    @GET
    @Path("/{id}")
    @Consumes(MediaType.WILDCARD)
    @RolesAllowed({Roles.ERASE, Roles.AUDITOR})
    public RestResponse<Receipt> receipt(@PathParam("id") String id) {
        return Answer.ok(desk.receipt(Check.required("id", id))
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This receipt"))));
    }
}
