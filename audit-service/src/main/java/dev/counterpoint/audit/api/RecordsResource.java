package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.FoundRecord;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.Cache;
import org.jspecify.annotations.Nullable;

/// The endpoints that search for records and read one.
@Path("/audit/v1/records")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Cache(noStore = true)
@RunOnVirtualThread
public class RecordsResource {
    private final RecordService service;

    RecordsResource(RecordService service) {
        this.service = service;
    }

    @POST
    @Path("/search")
    @RolesAllowed(StaffRoles.SEARCH)
    public ResultPage<FoundRecord> search(@Nullable RecordSearchRequest request) {
        try {
            return service.search(FieldValidation.body(request));
        } catch (ProblemException refusal) {
            service.refuse(Action.SEARCH, null, refusal);
            throw refusal;
        }
    }

    @POST
    @Path("/{response}/read")
    @RolesAllowed(StaffRoles.READ)
    public RecordContent read(@PathParam("response") String response, @Nullable ReadRequest request) {
        var id = FieldValidation.required("response", FieldValidation.response(response));
        var read = justified(id, request);
        return switch (read.result()) {
            case ReadResult.Opened opened -> new RecordContent(read.accessEntry(), opened.record(), opened.segments());
            case ReadResult.Erased _ -> throw new ProblemException(AuditProblem.erased());
            case ReadResult.Altered _ -> throw new ProblemException(AuditProblem.altered());
            case ReadResult.Absent _ -> throw new ProblemException(AuditProblem.notFound("This record"));
        };
    }

    /// A refusal is written to the access log before the caller gets the problem.
    private RecordService.LoggedRead justified(String id, @Nullable ReadRequest request) {
        try {
            service.requireErasuresKnown();
            var why = request == null ? Justification.of(null, null) : request.justification();
            return service.read(id, why, service.grant(id));
        } catch (ProblemException unjustified) {
            service.refuse(Action.READ, id, unjustified);
            throw unjustified;
        }
    }
}
