package dev.counterpoint.audit.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.counterpoint.audit.api.HoldService;
import dev.counterpoint.audit.api.NewHold;
import dev.counterpoint.audit.api.RequestService;
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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;

/// Holds, which keep records, and the receipts of erasures.
@Path("/console")
@Produces(MediaType.TEXT_HTML)
@RunOnVirtualThread
public class HoldPages {
    private static final int LISTED = 200;

    private final ConsolePages pages;
    private final ConsoleSession session;
    private final HoldService holds;
    private final RequestService requests;

    HoldPages(ConsolePages pages, ConsoleSession session, HoldService holds, RequestService requests) {
        this.pages = pages;
        this.session = session;
        this.holds = holds;
        this.requests = requests;
    }

    @GET
    @Path("/holds")
    @RolesAllowed({StaffRoles.HOLD, StaffRoles.ERASE, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public TemplateInstance holds() {
        return pages.page("holds").data("holds", pages.plain(holds.newest(null, LISTED)));
    }

    @POST
    @Path("/holds")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @RolesAllowed(StaffRoles.HOLD)
    public Response place(MultivaluedMap<String, String> form) throws JsonProcessingException {
        var given = session.checked(form);
        pages.onProblem(pages.page("holds").data("holds", null), given);
        holds.place(pages.body(given, NewHold.class));
        return ConsolePages.seeOther("/console/holds");
    }

    @GET
    @Path("/erasures")
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public TemplateInstance erasures() {
        return pages.page("erasures").data("receipts", pages.plain(requests.receipts(LISTED)));
    }

    @GET
    @Path("/erasures/{id}")
    @RolesAllowed({StaffRoles.ERASE, StaffRoles.APPROVE, StaffRoles.AUDITOR})
    public TemplateInstance receipt(@PathParam("id") String id) {
        var receipt = pages.shown(requests.receipt(id));
        return pages.page("erasure").data("receipt", pages.plain(receipt)).data("members", pages.members(receipt));
    }
}
