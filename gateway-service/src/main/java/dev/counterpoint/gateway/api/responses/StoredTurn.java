package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseError;
import dev.counterpoint.openai.responses.ResponseErrorCode;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The part of a request that its row keeps: its own input, and the plan that shows the response while it runs. No
/// raw reasoning.
///
/// @param queued input for the responses after this one, that was said while it ran; null for none
record StoredTurn(ResponsePlan plan, Input.Items input, Input.@Nullable Items queued) {
    static StoredTurn of(ResponsePlan plan, List<InputItem> input) {
        return new StoredTurn(
                plan, new Input.Items(input.stream().map(InputItems::forStore).toList()), null);
    }

    static StoredTurn read(String json) {
        return WireJson.read(json.getBytes(StandardCharsets.UTF_8), StoredTurn.class);
    }

    String write() {
        return WireJson.writeNamed(this);
    }

    /// True if a response answers its turn: then no reasoning of the turn goes back to the model any more.
    static boolean answers(ResponseObject response) {
        boolean whole = response.status() == ResponseStatus.COMPLETED || response.status() == ResponseStatus.INCOMPLETE;
        // Reasons that a model gave after its answer do not open it again.
        var last = response.output().reversed().stream()
                .filter(item -> !(item instanceof OutputItem.Reasoning))
                .findFirst();
        return whole
                && last.orElse(null) instanceof OutputItem.Message message
                && OpenItem.Message.ANSWER.equals(message.phase());
    }

    /// A finished response as the row keeps it; one that answers its turn without sealed reasoning.
    static String write(ResponseObject response) {
        boolean open = !answers(response);
        return WireJson.writeNamed(response.withOutput(response.output().stream()
                .map(item -> InputItems.forStore(item, open))
                .toList()));
    }

    /// The ending as the row says it.
    static TurnRows.Last last(ResponseObject response, String tenant) {
        var previous = response.echo().previousResponseId();
        var newest = previous == null ? List.of(response.id()) : List.of(response.id(), previous);
        return new TurnRows.Last(
                response.id(),
                tenant,
                Objects.requireNonNull(response.status()).wireName(),
                () -> write(response),
                answers(response) ? newest : List.of());
    }

    /// The ending of a response of which nothing is known.
    static TurnRows.Last failed(ResponseId id, String tenant, ResponsePlan plan, TurnEnding.Failure why) {
        var ids = new TurnIds(id);
        var fresh = ResponseObject.fresh(ids.response(), ids.createdAt(), ResponseStatus.IN_PROGRESS, plan.echo());
        var response = fresh.failed(ResponseError.of(ResponseErrorCode.SERVER_ERROR, why.message()));
        return new TurnRows.Last(ids.response(), tenant, ResponseStatus.FAILED.wireName(), () -> write(response));
    }
}
