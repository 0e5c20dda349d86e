package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.FoundEntry;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.Cache;

/// The access log, for auditors, and the consents in it.
@Path("/audit/v1")
@Produces(MediaType.APPLICATION_JSON)
@Cache(noStore = true)
@RunOnVirtualThread
class AccessLogResource {
    private final RecordService service;

    AccessLogResource(RecordService service) {
        this.service = service;
    }

    /// The beginning and the end of a consent that records name.
    @GET
    @Path("/consents/{id}")
    @RolesAllowed({StaffRoles.SEARCH, StaffRoles.READ, StaffRoles.AUDITOR})
    public ResultPage<FoundEntry> consent(@PathParam("id") String id) {
        return service.consent(id);
    }

    @GET
    @Path("/access-log")
    @RolesAllowed(StaffRoles.AUDITOR)
    public ResultPage<FoundEntry> search(@BeanParam AccessLogParameters parameters, @Context UriInfo url) {
        try {
            FieldValidation.parameters(url, AccessLogParameters.NAMES);
            return service.accesses(parameters);
        } catch (ProblemException refusal) {
            service.refuse(Action.READ_ACCESS_LOG, null, refusal);
            throw refusal;
        }
    }
}
