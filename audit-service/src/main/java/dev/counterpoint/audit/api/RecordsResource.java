package dev.counterpoint.audit.api;

import dev.counterpoint.audit.problem.Problem;
import dev.counterpoint.audit.problem.ProblemException;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.audit.records.StoredRecord;
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
    private final RecordService desk;

    @Inject
    RecordsResource(RecordService desk) {
        this.desk = desk;
    }

    @POST
    @Path("/search")
    @RolesAllowed(StaffRoles.SEARCH)
    public RestResponse<ResultPage<StoredRecord>> search(@Nullable RecordSearchRequest request) {
        var wanted = FieldValidation.body(request);
        wanted.check();
        return UncachedResponse.ok(desk.search(wanted));
    }

    @POST
    @Path("/{response}/read")
    @RolesAllowed(StaffRoles.READ)
    public RestResponse<RecordContent> read(@PathParam("response") String response, @Nullable Justification given) {
        var id = FieldValidation.required("response", FieldValidation.response(response));
        var why = given == null ? new Justification(null, null) : given;
        try {
            why.check();
        } catch (ProblemException unjustified) {
            desk.refuseToRead(
                    id,
                    unjustified.problem().code() + " " + unjustified.problem().field());
            throw unjustified;
        }
        var read = desk.read(id, why);
        return switch (read.reading()) {
            case ReadResult.Opened opened ->
                UncachedResponse.ok(new RecordContent(read.accessEntry(), opened.record(), opened.segments()));
            case ReadResult.Erased _ -> throw new ProblemException(Problem.erased());
            case ReadResult.Altered _ -> throw new ProblemException(Problem.altered());
            case ReadResult.Absent _ -> throw new ProblemException(Problem.notFound("This record"));
        };
    }
}
