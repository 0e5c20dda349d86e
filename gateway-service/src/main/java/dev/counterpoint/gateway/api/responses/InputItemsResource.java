package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.api.paging.PageParameters;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.responses.ItemList;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/// Lists the items that a stored response was asked: those of its own request, not of those before it.
@Path("/v1/responses/{id}/input_items")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class InputItemsResource {
    private final StoredResponses rows;
    private final CurrentCaller caller;

    @Inject
    InputItemsResource(StoredResponses rows, CurrentCaller caller) {
        this.rows = rows;
        this.caller = caller;
    }

    @ApiOperation(value = "Lists the items that a response was asked.", gives = ItemList.class)
    @GET
    public Response list(@PathParam("id") String id, @BeanParam PageParameters parameters) {
        var included = parameters.include(InputItems.INCLUDES);
        var response = TurnIds.parseResponse(id).orElseThrow(() -> missing(id));
        var row = rows.find(id, caller.get().owner()).orElseThrow(() -> missing(id));
        var input = StoredTurn.read(row.inputItemsJson()).input().items();
        var entries =
                parameters.page("desc").ofAll(StoredItemMapper.toStored(response, input), StoredItemMapper.Named::id);
        var items = new ItemList(
                entries.shown().stream().map(StoredItemMapper.Named::item).toList(),
                entries.firstId(StoredItemMapper.Named::id),
                entries.lastId(StoredItemMapper.Named::id),
                entries.more());
        return ShownItems.answer(items, included);
    }

    private static ProblemException missing(String id) {
        return new ProblemException(Problem.notFound("Response with id '" + id + "'"));
    }
}
