package dev.counterpoint.audit.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.counterpoint.audit.api.RecordSearchRequest;
import dev.counterpoint.audit.api.RecordsResource;
import dev.counterpoint.audit.api.StaffRoles;
import dev.counterpoint.audit.records.RecordStatus;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Searches for records. What was searched for is kept here, and the address has only the number of the search.
@Path("/console/search")
@Produces(MediaType.TEXT_HTML)
@RunOnVirtualThread
@RolesAllowed(StaffRoles.SEARCH)
public class SearchPages {
    private static final List<String> STATUSES =
            Stream.of(RecordStatus.values()).map(RecordStatus::wireName).toList();

    private final ConsolePages pages;
    private final ConsoleSession session;
    private final KeptForms searches;
    private final RecordsResource records;

    SearchPages(ConsolePages pages, ConsoleSession session, KeptForms searches, RecordsResource records) {
        this.pages = pages;
        this.session = session;
        this.searches = searches;
        this.records = records;
    }

    @GET
    public TemplateInstance search(
            @QueryParam("search") @Nullable String search, @QueryParam("after") @Nullable String after)
            throws JsonProcessingException {
        var page = pages.page("search")
                .data("statuses", STATUSES)
                .data("search", search)
                .data("found", null)
                .data("next", null);
        if (search == null) {
            return page;
        }
        var form = searches.find(search);
        pages.onProblem(page, form);
        Map<String, String> wanted = new HashMap<>(form);
        if (after != null) {
            wanted.put("after", after);
        }
        var found = records.search(pages.body(wanted, RecordSearchRequest.class));
        return page.data("given", form).data("found", pages.plain(found.data())).data("next", found.next());
    }

    @POST
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    public Response search(MultivaluedMap<String, String> form) {
        return ConsolePages.seeOther("/console/search?search=" + searches.keep(session.checked(form)));
    }
}
