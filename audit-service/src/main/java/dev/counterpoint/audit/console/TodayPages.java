package dev.counterpoint.audit.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.api.RecordSearchRequest;
import dev.counterpoint.audit.api.RecordsResource;
import dev.counterpoint.audit.api.RequestService;
import dev.counterpoint.audit.log.PublishedLog;
import dev.counterpoint.tlog.Checkpoint;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.json.JsonObject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;

/// What waits for the one who is signed in, the health of the log, and the ways in and out.
@Path("/console")
@Produces(MediaType.TEXT_HTML)
@RunOnVirtualThread
public class TodayPages {
    private static final String ANYBODY = "**";
    private static final int LISTED = 50;

    private final ConsolePages pages;
    private final RequestService requests;
    private final RecordsResource records;
    private final PublishedLog log;
    private final SmallRyeHealthReporter health;

    TodayPages(
            ConsolePages pages,
            RequestService requests,
            RecordsResource records,
            PublishedLog log,
            SmallRyeHealthReporter health) {
        this.pages = pages;
        this.requests = requests;
        this.records = records;
        this.log = log;
        this.health = health;
    }

    /// A check of the service's health.
    ///
    /// @param data what is wrong, such as the kind of a change and its index
    record Check(String name, boolean up, List<ShownMember> data) {}

    @GET
    @RolesAllowed(ANYBODY)
    public TemplateInstance today() throws JsonProcessingException {
        var page = pages.page("today");
        var open = pages.can("erase") || pages.can("hold") || pages.can("approve") || pages.can("audit")
                ? requests.newest(true, LISTED)
                : List.<ObjectNode>of();
        var mine = open.stream()
                .filter(one -> pages.isMe(one.path("requested_by").asText()))
                .toList();
        var others = open.stream().filter(one -> !mine.contains(one)).toList();
        var flagged = pages.can("search")
                ? records.search(pages.body(Map.of("flagged", "true"), RecordSearchRequest.class))
                        .data()
                : List.of();
        return page.data("mine", pages.plain(mine))
                .data("others", pages.plain(others))
                .data("flagged", pages.plain(flagged))
                .data("checks", checks())
                .data("size", size());
    }

    /// The log's own checks, which `/q/health/well` has too. They name nobody, so looking has no entry.
    @GET
    @Path("/health")
    @RolesAllowed(ANYBODY)
    public TemplateInstance health() {
        return pages.page("health")
                .data("checks", checks())
                .data("size", size())
                .data("checkpoint", log.checkpoint().map(Object::toString).orElse(""));
    }

    private long size() {
        return log.checkpoint()
                .map(note -> Checkpoint.parse(note.text()).size())
                .orElse(0L);
    }

    private List<Check> checks() {
        return health.getWellness().getPayload().getJsonArray("checks").stream()
                .map(JsonObject.class::cast)
                .map(check -> new Check(
                        check.getString("name"), check.getString("status").equals("UP"), data(check)))
                .toList();
    }

    private static List<ShownMember> data(JsonObject check) {
        var data = check.getJsonObject("data");
        return data == null
                ? List.of()
                : data.entrySet().stream()
                        .map(one -> new ShownMember(
                                one.getKey(),
                                ShownText.of(one.getValue().toString().replaceAll("^\"|\"$", ""))))
                        .toList();
    }

    /// Where the issuer sends people back. Who is signed in was sent on to the page that was asked for.
    @GET
    @Path("/{way: signed-in|sign-out}")
    @RolesAllowed(ANYBODY)
    public Response onward() {
        return ConsolePages.seeOther("/console");
    }

    @GET
    @Path("/signed-out")
    @PermitAll
    public TemplateInstance signedOut() {
        return pages.bare("signed-out");
    }
}
