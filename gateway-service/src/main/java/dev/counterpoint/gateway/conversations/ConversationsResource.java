package dev.counterpoint.gateway.conversations;

import dev.counterpoint.gateway.access.CurrentCaller;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.paging.PageParameters;
import dev.counterpoint.gateway.responses.InputItems;
import dev.counterpoint.gateway.turn.Rules;
import dev.counterpoint.openai.conversations.AddItems;
import dev.counterpoint.openai.conversations.ConversationDeleted;
import dev.counterpoint.openai.conversations.CreateConversation;
import dev.counterpoint.openai.conversations.UpdateConversation;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputItem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Conversations and their items.
@Path("/v1/conversations")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ConversationsResource {
    private static final CreateConversation EMPTY = new CreateConversation(null, null, Map.of());

    private final Conversations conversations;
    private final CurrentCaller caller;

    @Inject
    ConversationsResource(Conversations conversations, CurrentCaller caller) {
        this.conversations = conversations;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(byte[] body) {
        var request = body.length == 0 ? EMPTY : WireJson.read(body, CreateConversation.class);
        var items = Objects.requireNonNullElse(request.items(), List.<InputItem>of());
        return JsonAnswer.ok(conversations.create(tenant(), request.metadata(), items));
    }

    @GET
    @Path("{id}")
    public Response read(@PathParam("id") String id) {
        return JsonAnswer.ok(conversations.find(id, tenant()));
    }

    @POST
    @Path("{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response update(@PathParam("id") String id, byte[] body) {
        var tree = WireJson.parse(body);
        if (!tree.has("metadata")) {
            throw Rules.missing("metadata");
        }
        var metadata = WireJson.read(tree, UpdateConversation.class).metadata();
        return JsonAnswer.ok(conversations.update(id, tenant(), metadata));
    }

    @DELETE
    @Path("{id}")
    public Response delete(@PathParam("id") String id) {
        conversations.delete(id, tenant());
        return JsonAnswer.ok(new ConversationDeleted(id, true));
    }

    @POST
    @Path("{id}/items")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response add(@PathParam("id") String id, @BeanParam PageParameters parameters, byte[] body) {
        parameters.include(InputItems.INCLUDES);
        return JsonAnswer.ok(conversations.add(
                id, tenant(), WireJson.read(body, AddItems.class).items()));
    }

    @GET
    @Path("{id}/items")
    public Response items(@PathParam("id") String id, @BeanParam PageParameters parameters) {
        parameters.include(InputItems.INCLUDES);
        return JsonAnswer.ok(conversations.items(id, tenant(), parameters.page("desc")));
    }

    @GET
    @Path("{id}/items/{item}")
    public Response item(
            @PathParam("id") String id, @PathParam("item") String item, @BeanParam PageParameters parameters) {
        parameters.include(InputItems.INCLUDES);
        return JsonAnswer.ok(conversations.item(id, item, tenant()));
    }

    @DELETE
    @Path("{id}/items/{item}")
    public Response deleteItem(@PathParam("id") String id, @PathParam("item") String item) {
        return JsonAnswer.ok(conversations.deleteItem(id, item, tenant()));
    }

    private String tenant() {
        return caller.get().tenant();
    }
}
