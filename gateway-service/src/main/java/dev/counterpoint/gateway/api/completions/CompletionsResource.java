package dev.counterpoint.gateway.api.completions;

import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.api.paging.PageParameters;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.reasoning.LaterSummaries;
import dev.counterpoint.gateway.reasoning.ReasoningSummary;
import dev.counterpoint.gateway.reasoning.ReasoningSummaryRequest;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatCompletionDeleted;
import dev.counterpoint.openai.chat.ChatCompletionUpdate;
import dev.counterpoint.openai.chat.ChatMessageList;
import dev.counterpoint.openai.json.WireJson;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/// One stored chat completion. The list of them is at the path where they are made.
@Path("/v1/chat/completions/{id}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class CompletionsResource {
    private final CompletionService completions;
    private final LaterSummaries summaries;
    private final CurrentCaller caller;

    CompletionsResource(CompletionService completions, LaterSummaries summaries, CurrentCaller caller) {
        this.completions = completions;
        this.summaries = summaries;
        this.caller = caller;
    }

    @ApiOperation(value = "Reads a stored chat completion.", gives = ChatCompletion.class)
    @GET
    public Response read(@PathParam("id") String id) {
        return JsonAnswer.ok(completions.find(id, owner()));
    }

    @ApiOperation(
            value = "Changes the metadata of a stored chat completion.",
            takes = ChatCompletionUpdate.class,
            gives = ChatCompletion.class)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response update(@PathParam("id") String id, byte[] body, @Context RoutingContext http) {
        var tree = WireJson.parse(body);
        if (!tree.has("metadata")) {
            throw RequestRules.missing("metadata");
        }
        var metadata =
                IgnoredFields.read(body, ChatCompletionUpdate.class, http).metadata();
        return JsonAnswer.ok(completions.update(id, owner(), metadata));
    }

    @ApiOperation(value = "Deletes a stored chat completion.", gives = ChatCompletionDeleted.class)
    @DELETE
    public Response delete(@PathParam("id") String id) {
        completions.delete(id, owner());
        return JsonAnswer.ok(new ChatCompletionDeleted(id, true));
    }

    @ApiOperation(value = "Lists the messages of a stored chat completion.", gives = ChatMessageList.class)
    @GET
    @Path("messages")
    public Response messages(@PathParam("id") String id, @BeanParam PageParameters parameters) {
        return JsonAnswer.ok(completions.messages(id, owner(), parameters.page("asc")));
    }

    /// Of several choices that of the first.
    @ApiOperation(
            value = "Sums up the reasoning of a chat completion.",
            takes = ReasoningSummaryRequest.class,
            gives = ReasoningSummary.class)
    @POST
    @Path("reasoning_summary")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response summarize(@PathParam("id") String id, byte[] body, @Context RoutingContext http)
            throws InterruptedException {
        var request = IgnoredFields.read(body, ReasoningSummaryRequest.class, http);
        var past = completions.past(id, owner(), request.encryptedContent() != null);
        return JsonAnswer.ok(summaries.of(caller.get(), past, request, http));
    }

    private Owner owner() {
        return caller.get().owner();
    }
}
