package dev.counterpoint.gateway.api.models;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.fleet.ModelAliases;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.openai.models.Model;
import dev.counterpoint.openai.models.ModelList;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.stream.Stream;

/// The models that live workers serve, and the whole names among their aliases.
@Path("/v1/models")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ModelsResource {
    /// No server says when its model was made, and clients take 0 for a mistake: the day of gpt-oss's release.
    private static final long CREATED = 1_754_352_000;

    private static final String OWNER = "counterpoint";

    private final Fleet fleet;
    private final ModelAliases aliases;

    ModelsResource(Fleet fleet, ModelAliases aliases) {
        this.fleet = fleet;
        this.aliases = aliases;
    }

    @ApiOperation(value = "Lists the models.", gives = ModelList.class)
    @GET
    public Response list() {
        var models = fleet.models().stream().map(model -> onTheWire(model.name(), model));
        var more = aliases.names().stream()
                .filter(name -> fleet.model(name).isEmpty())
                .flatMap(name -> fleet.model(aliases.resolve(name)).map(model -> onTheWire(name, model)).stream());
        return JsonAnswer.ok(new ModelList(Stream.concat(models, more).toList()));
    }

    /// A name may hold slashes.
    @ApiOperation(value = "Reads a model.", gives = Model.class)
    @GET
    @Path("{model: .+}")
    public Response read(@PathParam("model") String name) {
        return JsonAnswer.ok(onTheWire(name, ModelAvailability.require(fleet, aliases.resolve(name))));
    }

    private static Model onTheWire(String name, Heartbeat.Model model) {
        return new Model(name, CREATED, OWNER, null, model.contextLength(), model.description());
    }
}
