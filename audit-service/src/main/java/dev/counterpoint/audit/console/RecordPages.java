package dev.counterpoint.audit.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.api.AccessLogParameters;
import dev.counterpoint.audit.api.ReadRequest;
import dev.counterpoint.audit.api.RecordSearchRequest;
import dev.counterpoint.audit.api.RecordService;
import dev.counterpoint.audit.api.RecordsResource;
import dev.counterpoint.audit.api.StaffRoles;
import dev.counterpoint.servicekit.ProblemException;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/// One record: what is known of it, who looked at it, and with a case and a reason what the model reasoned.
@Path("/console/records/{response: [A-Za-z0-9_-]+}")
@Produces(MediaType.TEXT_HTML)
@RunOnVirtualThread
public class RecordPages {
    private final ConsolePages pages;
    private final ConsoleSession session;
    private final KeptForms reasons;
    private final RecordsResource records;
    private final RecordService service;

    RecordPages(
            ConsolePages pages,
            ConsoleSession session,
            KeptForms reasons,
            RecordsResource records,
            RecordService service) {
        this.pages = pages;
        this.session = session;
        this.reasons = reasons;
        this.records = records;
        this.service = service;
    }

    /// A part of the reasoning, in pieces under which the reader's name is repeated.
    record Part(String title, List<String> pieces) {}

    @GET
    @RolesAllowed({StaffRoles.SEARCH, StaffRoles.READ})
    public TemplateInstance record(@PathParam("response") String response) throws JsonProcessingException {
        var page = pages.page("record")
                .data("response", response)
                .data("accesses", null)
                .data("consent", null);
        var found = pages.can("search")
                ? pages.shown(records.search(pages.body(Map.of("response", response), RecordSearchRequest.class))
                        .data())
                : pages.shown(List.of());
        var record = found.path(0);
        if (record.hasNonNull("opt_in")) {
            page.data("consent", consent(record.path("opt_in").asText()));
        }
        if (pages.can("audit")) {
            var wanted = AccessLogParameters.of(Map.of("response", response));
            page.data("accesses", pages.plain(service.accesses(wanted).data()));
        }
        return page.data("record", record.isMissingNode() ? null : pages.plain(record))
                .data("members", pages.members(record, "flags"));
    }

    /// The consent that allowed the record; without members when no gateway put it on record.
    private List<List<ShownMember>> consent(String id) {
        try {
            return service.consent(id).data().stream()
                    .map(entry -> pages.members(pages.shown(entry)))
                    .toList();
        } catch (ProblemException none) { // which is on record
            return List.of();
        }
    }

    @POST
    @Path("/read")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @RolesAllowed(StaffRoles.READ)
    public Response read(@PathParam("response") String response, MultivaluedMap<String, String> form) {
        var reason = reasons.keep(session.checked(form));
        return ConsolePages.seeOther("/console/records/" + response + "/read/" + reason);
    }

    /// Each load of this page is a reading, with its entry. Where one wants a grant, the page asks for it.
    @GET
    @Path("/read/{reason}")
    @RolesAllowed(StaffRoles.READ)
    public TemplateInstance content(@PathParam("response") String response, @PathParam("reason") String reason)
            throws JsonProcessingException {
        var why = reasons.find(reason);
        pages.onProblem(pages.page("read").data("response", response), why);
        var read = records.read(response, pages.body(why, ReadRequest.class));
        var record = pages.shown(read.record());
        return pages.page("content")
                .data("response", response)
                .data("given", why)
                .data("entry", read.accessEntry())
                .data("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .data("parts", parts(pages.shown(read.segments())))
                .data("summary", summary(record.path("closing")))
                .data("members", pages.members(record, "summary"));
    }

    private static List<Part> parts(JsonNode segments) {
        return segments.valueStream()
                .map(segment -> new Part(
                        "Message %d, %s%s"
                                .formatted(
                                        segment.path("message").asInt(),
                                        ShownText.of(segment.path("channel").asText()),
                                        segment.hasNonNull("recipient")
                                                ? " to "
                                                        + ShownText.of(segment.path("recipient")
                                                                .asText())
                                                : ""),
                        ShownText.pieces(segment.path("text").asText())))
                .toList();
    }

    private static List<String> summary(JsonNode closing) {
        var summary = closing.path("summary");
        var texts = summary.isArray() ? summary.valueStream().toList() : List.of(summary);
        return texts.stream()
                .filter(JsonNode::isTextual)
                .map(text -> ShownText.of(text.asText()))
                .toList();
    }
}
