package dev.counterpoint.gateway.api.conversations;

import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.api.paging.PageParameters;
import dev.counterpoint.gateway.api.responses.InputItems;
import dev.counterpoint.gateway.api.responses.ShownItems;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.openai.conversations.AddItems;
import dev.counterpoint.openai.conversations.ConversationDeleted;
import dev.counterpoint.openai.conversations.ConversationObject;
import dev.counterpoint.openai.conversations.CreateConversation;
import dev.counterpoint.openai.conversations.UpdateConversation;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemList;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Conversations and their items.
@Path("/v1/conversations")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ConversationsResource {
    private static final CreateConversation EMPTY = new CreateConversation(null, null, Map.of());

    private final ConversationService conversations;
    private final CurrentCaller caller;

    ConversationsResource(ConversationService conversations, CurrentCaller caller) {
        this.conversations = conversations;
        this.caller = caller;
    }

    @ApiOperation(value = "Creates a conversation.", takes = CreateConversation.class, gives = ConversationObject.class)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(byte[] body, @Context RoutingContext http) {
        var request = body.length == 0 ? EMPTY : IgnoredFields.read(body, CreateConversation.class, http);
        var items = Objects.requireNonNullElse(request.items(), List.<InputItem>of());
        return JsonAnswer.ok(conversations.create(caller.get(), request.metadata(), items));
    }

    @ApiOperation(value = "Reads a conversation.", gives = ConversationObject.class)
    @GET
    @Path("{id}")
    public Response read(@PathParam("id") String id) {
        return JsonAnswer.ok(conversations.find(id, owner()));
    }

    @ApiOperation(
            value = "Changes the metadata of a conversation.",
            takes = UpdateConversation.class,
            gives = ConversationObject.class)
    @POST
    @Path("{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response update(@PathParam("id") String id, byte[] body, @Context RoutingContext http) {
        var tree = WireJson.parse(body);
        if (!tree.has("metadata")) {
            throw RequestRules.missing("metadata");
        }
        var metadata = IgnoredFields.read(body, UpdateConversation.class, http).metadata();
        return JsonAnswer.ok(conversations.update(id, owner(), metadata));
    }

    @ApiOperation(value = "Deletes a conversation.", gives = ConversationDeleted.class)
    @DELETE
    @Path("{id}")
    public Response delete(@PathParam("id") String id) {
        conversations.delete(id, owner());
        return JsonAnswer.ok(new ConversationDeleted(id, true));
    }

    @ApiOperation(value = "Adds items to a conversation.", takes = AddItems.class, gives = ItemList.class)
    @POST
    @Path("{id}/items")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response add(
            @PathParam("id") String id,
            @BeanParam PageParameters parameters,
            byte[] body,
            @Context RoutingContext http) {
        var included = parameters.include(InputItems.INCLUDES);
        var added = IgnoredFields.read(body, AddItems.class, http).items();
        return ShownItems.answer(conversations.add(id, owner(), added), included);
    }

    @ApiOperation(value = "Lists the items of a conversation.", gives = ItemList.class)
    @GET
    @Path("{id}/items")
    public Response items(@PathParam("id") String id, @BeanParam PageParameters parameters) {
        var included = parameters.include(InputItems.INCLUDES);
        return ShownItems.answer(conversations.items(id, owner(), parameters.page("desc")), included);
    }

    @ApiOperation("Reads an item of a conversation.")
    @GET
    @Path("{id}/items/{item}")
    public Response item(
            @PathParam("id") String id, @PathParam("item") String item, @BeanParam PageParameters parameters) {
        var included = parameters.include(InputItems.INCLUDES);
        return ShownItems.answer(conversations.item(id, item, owner()), included);
    }

    @ApiOperation(value = "Deletes an item of a conversation.", gives = ConversationObject.class)
    @DELETE
    @Path("{id}/items/{item}")
    public Response deleteItem(@PathParam("id") String id, @PathParam("item") String item) {
        return JsonAnswer.ok(conversations.deleteItem(id, item, owner()));
    }

    private Owner owner() {
        return caller.get().owner();
    }
}
