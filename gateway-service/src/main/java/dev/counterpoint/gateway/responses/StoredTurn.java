package dev.counterpoint.gateway.responses;

import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What a row holds of a request: its own input, and what it takes to show it while it runs. No raw reasoning.
record StoredTurn(ResponsePlan plan, Input.Items input) {
    static StoredTurn of(ResponsePlan plan, List<InputItem> input) {
        return new StoredTurn(
                plan, new Input.Items(input.stream().map(InputItems::forStore).toList()));
    }

    static StoredTurn read(String json) {
        return WireJson.read(json.getBytes(StandardCharsets.UTF_8), StoredTurn.class);
    }

    String write() {
        return WireJson.writeNamed(this);
    }

    /// Whether a response answers its turn: then nothing that was thought in it goes back to the model any more.
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

    /// A finished response as the row keeps it.
    static String write(ResponseObject response) {
        return WireJson.writeNamed(response.withOutput(
                response.output().stream().map(InputItems::forStore).toList()));
    }
}
