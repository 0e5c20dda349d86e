package dev.counterpoint.audit.api;

import dev.counterpoint.audit.log.PublishedLog;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.NoCache;
import org.jboss.resteasy.reactive.RestResponse;

/// The audit log for those who verify or mirror it, at the paths of C2SP's tlog-tiles. It names nobody, so reading
/// it has no entry.
@Path("/audit/v1/log")
@RunOnVirtualThread
class LogResource {
    private final PublishedLog log;

    LogResource(PublishedLog log) {
        this.log = log;
    }

    @GET
    @Path("/checkpoint")
    @Produces("text/plain; charset=utf-8")
    @NoCache
    @RolesAllowed(StaffRoles.AUDITOR)
    public String checkpoint() {
        return log.checkpoint()
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This checkpoint")))
                .toString();
    }

    @GET
    @Path("/{tile: tile/.+}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @RolesAllowed(StaffRoles.AUDITOR)
    public RestResponse<byte[]> tile(@PathParam("tile") String path) {
        return log.tile(path)
                .map(tile -> RestResponse.ResponseBuilder.ok(tile)
                        .header("Cache-Control", "private, max-age=31536000, immutable")
                        .build())
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This tile")));
    }
}
