package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.StoredConversations;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.HostedItem;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseStatus;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads a project's stored responses: the conversation behind one, and single items. Thread-safe.
@ApplicationScoped
class ResponseHistory {
    private static final String PARAM = "previous_response_id";
    private static final int RESPONSES_MAX = 1_000;

    private final StoredResponses responses;
    private final StoredConversations conversations;

    ResponseHistory(StoredResponses responses, StoredConversations conversations) {
        this.responses = responses;
        this.conversations = conversations;
    }

    /// All that came before a request.
    ///
    /// @param conversation its id, or that of the first response; empty when nothing came before
    /// @param items input and output of each response, the first one first
    /// @param place of the request in its conversation, where it names one
    /// @param gone id of a response before the first that is there no more; null for none
    /// @param queued input that was said while the previous response ran, for the one after it
    record Past(
            String conversation,
            List<InputItem> items,
            StoredResponses.@Nullable Place place,
            @Nullable String gone,
            List<InputItem> queued) {
        /// What the response warns of where a part of the conversation is gone.
        Optional<String> warning() {
            return Optional.ofNullable(gone)
                    .map(id -> "conversation_cut: the conversation goes back to '" + id + "', which was deleted or has"
                            + " expired, so the model does not see that response and what came before it.");
        }
    }

    /// All that came before a request.
    ///
    /// @throws WireException as [#before(String, Owner)]
    /// @throws ProblemException 404 when the project has no such conversation
    Past of(CreateResponse request, Owner owner) {
        if (request.conversation() == null) {
            return before(request.previousResponseId(), owner);
        }
        var id = request.conversation().id();
        var conversation = conversations.find(id, owner).orElseThrow(() -> missingConversation(id));
        var place = new StoredResponses.Place(id, conversation.nextPosition());
        return new Past(id, items(place, owner), place, null, List.of());
    }

    /// All that came before.
    ///
    /// @param id of the previous response, or null for none
    /// @throws WireException when the project has no such response, or it still runs
    Past before(@Nullable String id, Owner owner) {
        var turns = id == null ? List.<StoredResponses.Row>of() : chain(id, owner);
        var place = turns.isEmpty() ? null : turns.getLast().place();
        if (place != null && conversations.find(place.conversation(), owner).isEmpty()) {
            throw missing(turns.getLast().id());
        }
        var items = new ArrayList<>(place == null ? List.<InputItem>of() : items(place, owner));
        Input.@Nullable Items queued = null;
        for (var row : turns.reversed()) {
            var turn = StoredTurn.read(row.inputItemsJson());
            queued = turn.queued();
            items.addAll(turn.input().items());
            output(row).stream()
                    .map(InputItems::ofOutput)
                    .flatMap(Optional::stream)
                    .forEach(items::add);
        }
        var gone = turns.isEmpty() ? null : turns.getLast().previousResponseId();
        return new Past(
                gone == null ? first(turns, place) : gone,
                items,
                null,
                gone,
                queued == null ? List.of() : queued.items());
    }

    /// All that came before a stored response.
    ///
    /// @throws WireException as [#before(String, Owner)]
    Past before(StoredResponses.Row row) {
        var place = row.place();
        return place == null
                ? before(row.previousResponseId(), row.owner())
                : new Past(place.conversation(), items(place, row.owner()), place, null, List.of());
    }

    /// The response and all before it that are in no conversation, the newest first.
    private List<StoredResponses.Row> chain(String id, Owner owner) {
        // Chat completions are in the same table and no responses.
        boolean response = TurnIds.parseResponse(id).isPresent();
        var turns = response ? responses.chain(id, owner, RESPONSES_MAX) : List.<StoredResponses.Row>of();
        if (turns.isEmpty()) {
            throw missing(id);
        }
        if (turns.size() == RESPONSES_MAX && turns.getLast().previousResponseId() != null) {
            throw new WireException(PARAM, "invalid_value", "The conversation is too long: at most 1000 responses.");
        }
        return turns;
    }

    private static String first(List<StoredResponses.Row> turns, StoredResponses.@Nullable Place place) {
        if (place != null) {
            return place.conversation();
        }
        return turns.isEmpty() ? "" : turns.getLast().id();
    }

    private List<InputItem> items(StoredResponses.Place place, Owner owner) {
        return conversations.before(place.conversation(), owner, place.before()).stream()
                .map(StoredItemMapper::toInput)
                .toList();
    }

    /// An item by its id: of a response's output or input, or of a conversation.
    Optional<InputItem> item(String id, Owner owner) {
        return outputItem(id, owner)
                .or(() -> inputItem(id, owner))
                .or(() -> conversations.item(id, owner).map(StoredItemMapper::toInput));
    }

    private Optional<InputItem> outputItem(String id, Owner owner) {
        return TurnIds.parseItem(id)
                .flatMap(place -> responses.find(new TurnIds(place.response()).response(), owner))
                .flatMap(row -> output(row).stream()
                        .filter(item -> id.equals(item.id()))
                        .findFirst())
                .flatMap(InputItems::ofOutput);
    }

    private Optional<InputItem> inputItem(String id, Owner owner) {
        return TurnIds.parseInput(id)
                .flatMap(response -> responses
                        .find(new TurnIds(response).response(), owner)
                        .flatMap(row -> {
                            var input = StoredTurn.read(row.inputItemsJson())
                                    .input()
                                    .items();
                            var named = StoredItemMapper.toStored(response, input);
                            return IntStream.range(0, input.size())
                                    .filter(i -> named.get(i).id().equals(id))
                                    .mapToObj(input::get)
                                    .findFirst();
                        }));
    }

    private static List<OutputItem> output(StoredResponses.Row row) {
        var json = row.responseJson();
        if (json == null) {
            throw new WireException(PARAM, null, "The previous response has not ended yet.");
        }
        var items = new ArrayList<OutputItem>();
        JsonNode response = WireJson.parse(json.getBytes(StandardCharsets.UTF_8));
        response.path("output").forEach(item -> items.add(WireJson.read(item, OutputItem.class)));
        boolean cutOff = response.path("status").asText().equals(ResponseStatus.INCOMPLETE.wireName());
        if (cutOff && !items.isEmpty() && items.getLast() instanceof HostedItem.CustomToolCall) {
            items.removeLast(); // unlike those of functions it does not say that it was cut off
        }
        return items;
    }

    private static ProblemException missingConversation(String id) {
        return new ProblemException(Problem.notFound("conversation", "Conversation with id '" + id + "'"));
    }

    private static WireException missing(String id) {
        return new WireException(
                PARAM, "previous_response_not_found", "Previous response with id '" + id + "' not found.");
    }
}
