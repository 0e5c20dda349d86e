package dev.counterpoint.audit.console;

import dev.counterpoint.audit.accesslog.FoundEntry;
import dev.counterpoint.audit.api.AccessLogParameters;
import dev.counterpoint.audit.api.RecordService;
import dev.counterpoint.audit.api.StaffRoles;
import dev.counterpoint.audit.log.PublishedLog;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.HashMap;
import java.util.Map;

/// The events of the log, and the proof of one.
@Path("/console/log")
@Produces(MediaType.TEXT_HTML)
@RunOnVirtualThread
@RolesAllowed(StaffRoles.AUDITOR)
public class LogPages {
    private final ConsolePages pages;
    private final RecordService service;
    private final PublishedLog log;

    LogPages(ConsolePages pages, RecordService service, PublishedLog log) {
        this.pages = pages;
        this.service = service;
        this.log = log;
    }

    /// Filters are in the address: they name staff and responses, not the persons whom records are about.
    @GET
    public TemplateInstance events(@Context UriInfo url) {
        Map<String, String> given = new HashMap<>();
        url.getQueryParameters()
                .forEach((name, values) -> given.put(name, values.getFirst().strip()));
        given.values().removeIf(String::isEmpty);
        var page = pages.page("log").data("found", null).data("next", null);
        pages.onProblem(page, given);
        var found = service.accesses(AccessLogParameters.of(given));
        given.remove("after");
        if (found.next() != null) {
            var older = url.getRequestUriBuilder().replaceQueryParam("after", found.next());
            page.data("more", older.build().getRawQuery());
        }
        return page.data("given", given)
                .data("found", pages.plain(found.data()))
                .data("next", found.next());
    }

    @GET
    @Path("/{id}")
    public TemplateInstance event(@PathParam("id") String id) {
        FoundEntry entry = service.access(id);
        var proven = log.proof(entry.seq());
        return pages.page("event")
                .data("id", id)
                .data("index", entry.seq())
                .data("altered", entry.members().path("altered").asBoolean())
                .data("members", pages.members(entry.members()))
                .data("proof", proven.orElse(null));
    }
}
