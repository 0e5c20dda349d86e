package dev.counterpoint.gateway.api.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.ResponseStory;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.StoredStories;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What happened to a response: attempts, workers, times, tokens, summary, warnings. Never content: no prompt, answer,
/// reasoning or sentence of a summary.
///
/// `source` is `frames` while the log of the response is there, then `record`, which the gateway wrote at its end, and
/// `ledger` where only the count of its tokens is left.
@Path("/admin/responses")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class StoriesResource {
    private static final String RESENT = "tickets_resent";

    private final Replays replays;
    private final StoredStories stories;
    private final Duration window;

    StoriesResource(Replays replays, StoredStories stories, LogConfig config) {
        this.replays = replays;
        this.stories = stories;
        this.window = config.replayWindow();
    }

    /// What the log says, or why it says nothing.
    private record Frames(@Nullable ResponseStory story, String why) {}

    @GET
    @Path("{id}")
    public Response read(@PathParam("id") String id) throws InterruptedException {
        var response = TurnIds.parse(id).orElseThrow(() -> missing(id));
        var frames = frames(response);
        var row = stories.row(List.of(new TurnIds(response).response(), new TurnIds(response).completion()));
        var story = frames.story == null ? kept(response) : Optional.of(ofFrames(response, frames.story));
        if (story.isEmpty() && row.isEmpty()) {
            throw missing(id);
        }
        var answer = JsonNodeFactory.instance.objectNode().put("id", id).put("object", "response.story");
        answer.setAll(story.orElseGet(() -> ofRow(row.orElseThrow())));
        answer.put("status", row.map(StoredStories.Kept::status).orElse(null));
        answer.set("warnings", warnings(row.map(StoredStories.Kept::json).orElse(null)));
        answer.set("replay", replay(response, row, frames));
        return JsonAnswer.ok(answer);
    }

    private Frames frames(ResponseId response) throws InterruptedException {
        try {
            return new Frames(replays.story(response), "");
        } catch (Replays.GoneException e) {
            return new Frames(null, "the frames of a response live %d minutes".formatted(window.toMinutes()));
        } catch (Replays.BusyException e) {
            return new Frames(null, "too many earlier streams are read at once");
        } catch (BackendUnavailableException e) {
            return new Frames(null, "the message bus does not answer");
        }
    }

    /// Tickets are not in the log, so their number comes from the record.
    private ObjectNode ofFrames(ResponseId response, ResponseStory story) {
        var tree = tree("frames", WireJson.tree(story));
        stories.find(response.toString())
                .map(json -> WireJson.parse(json.getBytes(UTF_8)))
                .ifPresent(record -> tree.set(RESENT, record.path(RESENT)));
        return tree;
    }

    private Optional<ObjectNode> kept(ResponseId response) {
        return stories.find(response.toString())
                .map(json -> tree("record", WireJson.parse(json.getBytes(UTF_8))))
                .or(() -> stories.entry(response.toString()).map(StoriesResource::ofLedger));
    }

    private static ObjectNode ofLedger(StoredStories.Entry entry) {
        var tree = tree("ledger", JsonNodeFactory.instance.objectNode())
                .put("tenant", entry.tenant())
                .put("key", entry.key())
                .put("model", entry.model())
                .put("ended_at_ms", entry.endedAt().toEpochMilli());
        tree.set(
                "tokens",
                WireJson.tree(new ResponseStory.Tokens(
                        entry.input(), entry.cached(), entry.reasoning(), entry.output() - entry.reasoning())));
        return tree;
    }

    private static ObjectNode ofRow(StoredStories.Kept row) {
        return tree("row", JsonNodeFactory.instance.objectNode())
                .put("tenant", row.tenant())
                .put("key", row.key())
                .put("model", row.model());
    }

    private static ObjectNode tree(String source, JsonNode story) {
        var tree = JsonNodeFactory.instance.objectNode().put("source", source);
        tree.setAll((ObjectNode) story);
        return tree;
    }

    /// The codes that they begin with: the rest may name a tool that the model made up.
    private static JsonNode warnings(@Nullable String json) {
        var codes = JsonNodeFactory.instance.arrayNode();
        if (json != null) {
            WireJson.parse(json.getBytes(UTF_8))
                    .path("warnings")
                    .forEach(warning -> codes.add(warning.asText().split(":", 2)[0]));
        }
        return codes;
    }

    private ObjectNode replay(ResponseId response, Optional<StoredStories.Kept> row, Frames frames) {
        var why = frames.story == null ? frames.why : null;
        if (why == null) {
            var status = row.map(StoredStories.Kept::status).orElse("");
            why = status.isEmpty() ? "it is not stored" : status.equals("deleted") ? "it was deleted" : null;
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("possible", why == null)
                .put("until", (response.acceptedAtMillis() + window.toMillis()) / 1000)
                .put("why_not", why);
    }

    private static ProblemException missing(String id) {
        return new ProblemException(Problem.notFound("Response '" + id + "'"));
    }
}
