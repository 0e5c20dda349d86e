package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.reasoning.LaterSummaries;
import dev.counterpoint.gateway.reasoning.ReasoningSummary;
import dev.counterpoint.gateway.reasoning.ReasoningSummaryRequest;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.servicekit.ProblemException;
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

/// The reasoning of a response, summed up afterwards.
@Path("/v1/responses/{id}/reasoning_summary")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ReasoningSummaryResource {
    private final LaterSummaries summaries;
    private final StoredResponses rows;
    private final CurrentCaller caller;

    @Inject
    ReasoningSummaryResource(LaterSummaries summaries, StoredResponses rows, CurrentCaller caller) {
        this.summaries = summaries;
        this.rows = rows;
        this.caller = caller;
    }

    @ApiOperation(
            value = "Sums up the reasoning of a response that has ended.",
            takes = ReasoningSummaryRequest.class,
            gives = ReasoningSummary.class)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response summarize(@PathParam("id") String id, byte[] body, @Context RoutingContext http)
            throws InterruptedException {
        var request = IgnoredFields.read(body, ReasoningSummaryRequest.class, http);
        return JsonAnswer.ok(summaries.of(caller.get(), past(id, request), request, http));
    }

    /// @throws ProblemException 404 where neither the caller nor we have anything of it, 409 while it runs
    private LaterSummaries.Past past(String id, ReasoningSummaryRequest request) {
        var log = TurnIds.parseResponse(id).orElseThrow(() -> missing(id));
        var row = rows.find(id, caller.get().owner());
        if (row.isEmpty() && request.encryptedContent() == null) {
            throw missing(id);
        }
        return row.map(found -> {
                    if (found.responseJson() == null) {
                        throw new ProblemException(Problem.conflict(
                                null, "response_in_progress", "The response has not ended yet; ask again later."));
                    }
                    return new LaterSummaries.Past(id, log, found.model(), question(found));
                })
                .orElseGet(() -> LaterSummaries.Past.unknown(id));
    }

    private static String question(StoredResponses.Row row) {
        return StoredTurn.read(row.inputItemsJson()).input().items().reversed().stream()
                .filter(item -> item instanceof InputItem.Message said && said.role() == MessageRole.USER)
                .map(item -> InputItems.words(((InputItem.Message) item).content(), "input"))
                .findFirst()
                .orElse("");
    }

    private static ProblemException missing(String id) {
        return new ProblemException(Problem.notFound("Response with id '" + id + "'"));
    }
}
