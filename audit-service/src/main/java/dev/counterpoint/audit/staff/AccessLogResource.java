package dev.counterpoint.audit.staff;

import dev.counterpoint.audit.access.AccessView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;

/// The access log, for auditors.
@Path("/audit/v1/access-log")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
class AccessLogResource {
    private final Desk desk;

    @Inject
    AccessLogResource(Desk desk) {
        this.desk = desk;
    }

    @GET
    @RolesAllowed(Roles.AUDITOR)
    public RestResponse<Page<AccessView>> search(@BeanParam AccessFilter filter) {
        return Answer.ok(desk.accesses(filter.query(), filter.size(), filter.detail()));
    }
}
