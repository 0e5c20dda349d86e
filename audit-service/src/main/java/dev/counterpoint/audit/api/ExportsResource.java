package dev.counterpoint.audit.api;

import dev.counterpoint.audit.export.ExportWriter;
import dev.counterpoint.audit.export.ExportWriter.Written;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.io.File;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jboss.resteasy.reactive.Cache;
import org.jboss.resteasy.reactive.RestResponse;

/// The endpoint that downloads exports.
@Path("/audit/v1/exports")
@Cache(noStore = true)
@RunOnVirtualThread
class ExportsResource {
    private final ExportService service;
    private final ExportWriter writer;

    ExportsResource(ExportService service, ExportWriter writer) {
        this.service = service;
        this.writer = writer;
    }

    @GET
    @Path("/{id}")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @RolesAllowed(StaffRoles.EXPORT)
    public RestResponse<File> export(@PathParam("id") String id, @Context RoutingContext http) throws IOException {
        var granted = service.granted(FieldValidation.required("id", id));
        var since = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        var written = writer.write(granted.request(), granted.export());
        http.addEndHandler(_ -> delete(written));
        service.written(granted, written, since);
        return RestResponse.ResponseBuilder.ok(written.file().toFile())
                .header(
                        "Content-Disposition",
                        "attachment; filename=\"" + granted.request().id() + ".zip.age\"")
                .build();
    }

    private static void delete(Written written) {
        written.file().toFile().delete();
    }
}
