package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.admission.TenantDoor;
import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.api.paging.PageParameters;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.fleet.ModelAliases;
import dev.counterpoint.gateway.http.ClientDisconnect;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.http.SseBody;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.reasoning.LaterSummaries;
import dev.counterpoint.gateway.reasoning.ReasoningSummary;
import dev.counterpoint.gateway.reasoning.ReasoningSummaryRequest;
import dev.counterpoint.gateway.store.SealedContent;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.gateway.turn.TurnRefusals;
import dev.counterpoint.gateway.turn.TurnStream;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.ItemList;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import dev.counterpoint.openai.responses.StreamEvent;
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

/// The Responses API.
@Path("/v1/responses")
@Produces({MediaType.APPLICATION_JSON, MediaType.SERVER_SENT_EVENTS})
@RunOnVirtualThread
public class ResponsesResource {
    private final Responses responses;
    private final ResponseReplays replays;
    private final ResponseCancellation cancellation;
    private final LaterSummaries summaries;
    private final ModelAliases aliases;
    private final CurrentCaller caller;
    private final GatewayConfig config;
    private final TenantDoor door;

    ResponsesResource(
            Responses responses,
            ResponseReplays replays,
            ResponseCancellation cancellation,
            LaterSummaries summaries,
            ModelAliases aliases,
            CurrentCaller caller,
            GatewayConfig config,
            TenantDoor door) {
        this.responses = responses;
        this.replays = replays;
        this.cancellation = cancellation;
        this.summaries = summaries;
        this.aliases = aliases;
        this.caller = caller;
        this.config = config;
        this.door = door;
    }

    @ApiOperation(
            value = "Creates a response.",
            takes = CreateResponse.class,
            gives = ResponseObject.class,
            streams = StreamEvent.class,
            once = true)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(byte[] body, @Context RoutingContext http) throws InterruptedException {
        var request = IgnoredFields.read(
                aliases.read(body), CreateResponse.class, sent -> responses.withoutEffect(sent, caller.get()), http);
        var who = caller.get();
        var key = IdempotencyKey.of(http, who, body);
        var running = door.through(who.tenant(), () -> responses.start(who, request, key));
        var echo = running.plan().echo();
        if (request.streaming()) {
            var format = new ResponseEventFormat(-1, running.plan().showsEncrypted());
            return SseBody.answer(new TurnStream<>(running.run(), format), SseBody.Patience.of(config), http);
        }
        if (echo.inBackground()) {
            running.run().detach();
            var ids = running.ids();
            return JsonAnswer.ok(ResponseObject.fresh(ids.response(), ids.createdAt(), ResponseStatus.QUEUED, echo));
        }
        ClientDisconnect.listen(http, running.run()::abandon);
        var ending = running.run().await(config.firstTokenTimeout());
        TurnRefusals.requireAnswer(ending, ResponseEventFormat.INPUT);
        var response = running.assembler().response();
        return JsonAnswer.ok(
                running.plan().showsEncrypted() ? response : SealedContent.without(WireJson.tree(response)));
    }

    @ApiOperation(
            value = "Reads a stored response, or streams it again.",
            gives = ResponseObject.class,
            streams = StreamEvent.class)
    @GET
    @Path("{id}")
    public Response read(@PathParam("id") String id, @BeanParam ReadParameters parameters, @Context RoutingContext http)
            throws InterruptedException {
        if (parameters.streams()) {
            var stream = replays.open(id, caller.get(), parameters).orElseThrow(() -> Responses.missing(id));
            return SseBody.answer(stream, SseBody.Patience.of(config), http);
        }
        var response = responses.find(id, caller.get().owner());
        var shown = parameters.includes(InputItems.ENCRYPTED)
                ? response
                : WireJson.writeBytes(SealedContent.without(WireJson.parse(response)));
        return Response.ok(shown, MediaType.APPLICATION_JSON_TYPE).build();
    }

    @ApiOperation(value = "Cancels a background response.", gives = ResponseObject.class)
    @POST
    @Path("{id}/cancel")
    public Response cancel(@PathParam("id") String id) throws InterruptedException {
        var response = cancellation.cancel(id, caller.get().owner()).orElseThrow(() -> Responses.missing(id));
        return Response.ok(SealedContent.without(response), MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    @ApiOperation(value = "Lists the items that a response was asked.", gives = ItemList.class)
    @GET
    @Path("{id}/input_items")
    public Response inputItems(@PathParam("id") String id, @BeanParam PageParameters parameters) {
        var included = parameters.include(InputItems.INCLUDES);
        return ShownItems.answer(responses.inputItems(id, caller.get().owner(), parameters.page("desc")), included);
    }

    @ApiOperation(
            value = "Sums up the reasoning of a response that has ended.",
            takes = ReasoningSummaryRequest.class,
            gives = ReasoningSummary.class)
    @POST
    @Path("{id}/reasoning_summary")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response summarize(@PathParam("id") String id, byte[] body, @Context RoutingContext http)
            throws InterruptedException {
        var request = IgnoredFields.read(body, ReasoningSummaryRequest.class, http);
        var past = responses.past(id, caller.get().owner(), request.encryptedContent() != null);
        return JsonAnswer.ok(summaries.of(caller.get(), past, request, http));
    }

    @ApiOperation("Deletes a response.")
    @DELETE
    @Path("{id}")
    public Response delete(@PathParam("id") String id) {
        if (!cancellation.delete(id, caller.get().owner())) {
            throw Responses.missing(id);
        }
        return JsonAnswer.ok(new Deleted(id, "response", true));
    }

    /// The answer to a deletion.
    record Deleted(String id, String object, boolean deleted) {}
}
