package dev.counterpoint.audit.staff;

import dev.counterpoint.audit.ledger.Reading;
import dev.counterpoint.audit.ledger.StoredRecord;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/// Search for records, and read one.
@Path("/audit/v1/records")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
class RecordsResource {
    private final Desk desk;

    @Inject
    RecordsResource(Desk desk) {
        this.desk = desk;
    }

    @POST
    @Path("/search")
    @RolesAllowed(Roles.SEARCH)
    public RestResponse<Page<StoredRecord>> search(@Nullable SearchRequest request) {
        var wanted = Check.body(request);
        wanted.check();
        return Answer.ok(desk.search(wanted));
    }

    @POST
    @Path("/{response}/read")
    @RolesAllowed(Roles.READ)
    public RestResponse<Content> read(@PathParam("response") String response, @Nullable Justification given) {
        var id = Check.required("response", Check.response(response));
        var why = given == null ? new Justification(null, null) : given;
        try {
            why.check();
        } catch (ProblemException unjustified) {
            var problem = (AuditProblem) unjustified.problem();
            desk.refuseToRead(id, problem.code() + " " + problem.field());
            throw unjustified;
        }
        var read = desk.read(id, why);
        return switch (read.reading()) {
            case Reading.Opened opened ->
                Answer.ok(new Content(read.accessEntry(), opened.record(), opened.segments()));
            case Reading.Erased _ -> throw new ProblemException(AuditProblem.erased());
            case Reading.Altered _ -> throw new ProblemException(AuditProblem.altered());
            case Reading.Absent _ -> throw new ProblemException(AuditProblem.notFound("This record"));
        };
    }
}
