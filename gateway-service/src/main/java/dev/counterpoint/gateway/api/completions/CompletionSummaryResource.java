package dev.counterpoint.gateway.api.completions;

import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.reasoning.LaterSummaries;
import dev.counterpoint.gateway.reasoning.ReasoningSummary;
import dev.counterpoint.gateway.reasoning.ReasoningSummaryRequest;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/// The reasoning of a chat completion, summed up afterwards; of several choices that of the first.
@Path("/v1/chat/completions/{id}/reasoning_summary")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class CompletionSummaryResource {
    private final LaterSummaries summaries;
    private final CompletionService completions;
    private final CurrentCaller caller;

    @Inject
    CompletionSummaryResource(LaterSummaries summaries, CompletionService completions, CurrentCaller caller) {
        this.summaries = summaries;
        this.completions = completions;
        this.caller = caller;
    }

    @ApiOperation(
            value = "Sums up the reasoning of a chat completion.",
            takes = ReasoningSummaryRequest.class,
            gives = ReasoningSummary.class)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response summarize(@PathParam("id") String id, byte[] body, @Context RoutingContext http)
            throws InterruptedException {
        var request = IgnoredFields.read(body, ReasoningSummaryRequest.class, http);
        var past = completions.past(id, caller.get().owner(), request.encryptedContent() != null);
        return JsonAnswer.ok(summaries.of(caller.get(), past, request, http));
    }
}
