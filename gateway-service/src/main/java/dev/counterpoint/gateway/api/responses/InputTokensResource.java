package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.fleet.ModelAliases;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputTokens;
import dev.counterpoint.openai.responses.InputTokensRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/// Counts the tokens that a request would send to the model. The request is one that creates a response, held to
/// the same rules.
@Path("/v1/responses/input_tokens")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class InputTokensResource {
    private static final String PERSONALITY = "personality";

    private final Responses responses;
    private final ModelAliases aliases;
    private final CurrentCaller caller;

    InputTokensResource(Responses responses, ModelAliases aliases, CurrentCaller caller) {
        this.responses = responses;
        this.aliases = aliases;
        this.caller = caller;
    }

    @ApiOperation(
            value = "Counts the tokens that a request would send to the model.",
            takes = InputTokensRequest.class,
            gives = InputTokens.class)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response count(byte[] body, @Context RoutingContext http) {
        var request = IgnoredFields.read(
                aliases.read(body), CreateResponse.class, sent -> responses.withoutEffect(sent, caller.get()), http);
        if (request.otherMembers().containsKey(PERSONALITY)) {
            throw RequestRules.unsupported(PERSONALITY, "The model has no such setting.");
        }
        return JsonAnswer.ok(new InputTokens(responses.count(caller.get(), request)));
    }
}
