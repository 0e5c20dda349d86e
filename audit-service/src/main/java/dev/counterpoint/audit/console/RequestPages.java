package dev.counterpoint.audit.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.api.DecisionReason;
import dev.counterpoint.audit.api.HoldService;
import dev.counterpoint.audit.api.NewRequest;
import dev.counterpoint.audit.api.RequestService;
import dev.counterpoint.audit.api.RequestsResource;
import dev.counterpoint.audit.api.StaffRoles;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Requests of every action: their list, each one with its decision, and what asks for one.
@Path("/console/requests")
@Produces(MediaType.TEXT_HTML)
@RunOnVirtualThread
public class RequestPages {
    private static final int LISTED = 200;

    private final ConsolePages pages;
    private final ConsoleSession session;
    private final RequestService requests;
    private final RequestsResource actions;
    private final HoldService holds;

    RequestPages(
            ConsolePages pages,
            ConsoleSession session,
            RequestService requests,
            RequestsResource actions,
            HoldService holds) {
        this.pages = pages;
        this.session = session;
        this.requests = requests;
        this.actions = actions;
        this.holds = holds;
    }

    @GET
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.HOLD, StaffRoles.READ, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public TemplateInstance list(@QueryParam("status") @Nullable String status) {
        boolean open = "requested".equals(status);
        return pages.page("requests").data("open", open).data("requests", pages.plain(requests.newest(open, LISTED)));
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.HOLD, StaffRoles.READ, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public TemplateInstance request(@PathParam("id") String id) {
        return page(pages.shown(requests.find(id)));
    }

    private TemplateInstance page(JsonNode request) {
        boolean erases = request.path("action").asText().equals("erase")
                && request.path("status").asText().equals("requested");
        return pages.page("request")
                .data("request", pages.plain(request))
                .data("mine", pages.isMe(request.path("requested_by").asText()))
                .data(
                        "holds",
                        erases ? pages.plain(holds.newest(request.path("tenant").asText(), LISTED)) : null)
                .data("members", pages.members(request, "id", "action", "status", "result"))
                .data("result", pages.members(request.path("result")));
    }

    /// Asks for any action; the fields of the form are the members that the API takes.
    @POST
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.HOLD, StaffRoles.READ})
    public Response ask(MultivaluedMap<String, String> form) throws JsonProcessingException {
        var given = session.checked(form);
        pages.onProblem(pages.page("ask"), given);
        var answer = actions.ask(pages.body(given, NewRequest.class));
        return ConsolePages.seeOther(
                "/console/requests/" + answer.getEntity().path("id").asText());
    }

    @POST
    @Path("/{id}/approve")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @RolesAllowed(StaffRoles.APPROVE)
    public Response approve(@PathParam("id") String id, MultivaluedMap<String, String> form) {
        var reason = decision(id, form);
        actions.approve(id, reason);
        return ConsolePages.seeOther("/console/requests/" + id);
    }

    /// Who asked takes the request back; another person rejects it.
    @POST
    @Path("/{id}/cancel")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.HOLD, StaffRoles.READ, StaffRoles.APPROVE})
    public Response cancel(@PathParam("id") String id, MultivaluedMap<String, String> form) {
        var reason = decision(id, form);
        actions.cancel(id, reason);
        return ConsolePages.seeOther("/console/requests/" + id);
    }

    private DecisionReason decision(String id, MultivaluedMap<String, String> form) {
        var given = session.checked(form);
        pages.onProblem(pages.page("decision").data("id", id), given);
        return new DecisionReason(Map.copyOf(given).get("reason"), null);
    }
}
