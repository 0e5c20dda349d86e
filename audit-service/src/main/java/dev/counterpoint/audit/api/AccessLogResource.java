package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.AccessLogEntry;
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
    private final RecordService desk;

    @Inject
    AccessLogResource(RecordService desk) {
        this.desk = desk;
    }

    @GET
    @RolesAllowed(StaffRoles.AUDITOR)
    public RestResponse<ResultPage<AccessLogEntry>> search(@BeanParam AccessLogParameters filter) {
        return UncachedResponse.ok(desk.accesses(filter.query(), filter.size(), filter.detail()));
    }
}
