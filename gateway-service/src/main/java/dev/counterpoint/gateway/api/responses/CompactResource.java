package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.fleet.ModelAliases;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CompactRequest;
import dev.counterpoint.openai.responses.CompactedResponse;
import dev.counterpoint.openai.responses.CreateResponse;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Set;

/// A conversation as one item, which stands for it in later requests.
@Path("/v1/responses/compact")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class CompactResource {
    private final Responses responses;
    private final ModelAliases aliases;
    private final CurrentCaller caller;

    CompactResource(Responses responses, ModelAliases aliases, CurrentCaller caller) {
        this.responses = responses;
        this.aliases = aliases;
        this.caller = caller;
    }

    @ApiOperation(
            value = "Compacts a conversation into one item.",
            takes = CompactRequest.class,
            gives = CompactedResponse.class)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response compact(byte[] body, @Context RoutingContext http) throws InterruptedException {
        // A request that creates a response has the same members and rules.
        var compact = IgnoredFields.read(aliases.read(body), CompactRequest.class, _ -> Set.of(), http);
        var request = WireJson.read(WireJson.tree(compact), CreateResponse.class);
        return JsonAnswer.ok(responses.compact(caller.get(), request));
    }
}
