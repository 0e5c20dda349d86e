package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.http.LoopFeed;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.FunctionCall;
import dev.counterpoint.openai.responses.HostedItem;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.MessageRole;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A response of a lane that its user may steer: its stream, with what becomes of the steers. A steer is accepted when
/// it was read back from the response's log, and only then the worker gets the order to stop.
final class SteerableResponse implements EventSource {
    private static final int PENDING_MAX = 8;
    private static final int PENDING_BYTES_MAX = 8 * 1024 * 1024;
    private static final SecureRandom NAMES = new SecureRandom();
    private static final Set<String> PARTS = Set.of("input_text", "input_image");

    private final EventSource stream;
    private final ResponseTurns.Running running;
    private final Steers steers;
    private final boolean supported;
    private final String lane;
    /// Input of the steers that were sent to the log, as the client wrote it.
    private final Map<Long, byte[]> sent = new LinkedHashMap<>();

    private int sentBytes;
    private int accepted;
    /// The answer to steers that come too late; null while none does.
    private @Nullable SteerRefusal over;

    /// @param lane empty for the one without a name
    /// @param supported whether the request lets its response be steered
    SteerableResponse(
            EventSource stream, ResponseTurns.Running running, Steers steers, String lane, boolean supported) {
        this.stream = stream;
        this.running = running;
        this.steers = steers;
        this.lane = lane;
        this.supported = supported;
    }

    /// The way of steers into the log and into the next response.
    record Steers(Generations generations, SteeredTurns turns, String tenant) {}

    /// The events after the end of a response.
    ///
    /// @param events about its steers
    /// @param successor whether the next response begins by itself; then its failure is that of the steers
    record Aftermath(List<ObjectNode> events, boolean successor) {}

    String lane() {
        return lane;
    }

    String id() {
        return running.ids().response();
    }

    /// Sends input to the log. Blocks.
    ///
    /// @param check fails for a request that cannot start
    /// @return why not, or null
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus may not have it; the
    ///     end of the response then tells
    @Nullable
    SteerRefusal steer(JsonNode input, Consumer<ObjectNode> check) {
        var items = items(input, check);
        var json = items == null ? new byte[0] : WireJson.writeBytes(new Input.Items(items));
        var asWritten = WireJson.writeBytes(input);
        long name = NAMES.nextLong();
        synchronized (this) {
            if (over != null) {
                return over;
            } else if (!supported) {
                return SteerRefusal.STEERING_NOT_SUPPORTED;
            } else if (items == null) {
                return SteerRefusal.INVALID_INPUT;
            } else if (sent.size() >= PENDING_MAX || sentBytes + asWritten.length > PENDING_BYTES_MAX) {
                return SteerRefusal.TOO_MANY_PENDING_STEERS;
            }
            sent.put(name, asWritten);
            sentBytes += asWritten.length;
        }
        steers.generations().steer(running.run().id(), steers.tenant(), name, json);
        return null;
    }

    /// The input as items, or null where it is none that steers: no later request could hold it.
    private @Nullable List<InputItem> items(JsonNode input, Consumer<ObjectNode> check) {
        try {
            var items = InputItems.own(WireJson.read(input, Input.class), _ -> Optional.empty());
            if (items.isEmpty() || !items.stream().allMatch(SteerableResponse::isOfUser)) {
                return null;
            }
            var request = JsonNodeFactory.instance.objectNode();
            request.put("model", running.plan().echo().model()).set("input", input);
            check.accept(request);
            return items;
        } catch (WireException e) {
            return null;
        }
    }

    private static boolean isOfUser(InputItem item) {
        return item instanceof InputItem.Message message
                && message.role() == MessageRole.USER
                && switch (message.content()) {
                    case MessageContent.Text(var text) -> !text.isEmpty();
                    case MessageContent.Parts(var parts) ->
                        !parts.isEmpty() && parts.stream().allMatch(part -> PARTS.contains(part.type()));
                };
    }

    @Override
    public Step next(long atMostMillis) throws InterruptedException {
        var step = stream.next(atMostMillis);
        var told = acceptances();
        if (told.isEmpty() || step instanceof Step.Lost) {
            return step;
        }
        steers.generations().stopAtSteer(running.run().id());
        Iterable<byte[]> blocks = step instanceof Step.Blocks(var more) ? more : List.of();
        return new Step.Blocks(() -> Stream.concat(told.stream(), StreamSupport.stream(blocks.spliterator(), false))
                .iterator());
    }

    private List<byte[]> acceptances() {
        var fresh = running.assembler().steers().stream().skip(accepted).toList();
        accepted += fresh.size();
        return fresh.stream()
                .map(steer -> SocketEventFormat.message(event("accepted", steer), lane))
                .toList();
    }

    private ObjectNode event(String what, ModelOutput.Steered steer) {
        var event = JsonNodeFactory.instance.objectNode().put("type", "response.steer." + what);
        event.put("sequence_number", 0)
                .putObject("steer")
                .put("id", name(steer.steer()))
                .put(LaneRequest.PREVIOUS, id());
        return event;
    }

    private static String name(long steer) {
        return "steer_" + Long.toHexString(steer);
    }

    @Override
    public @Nullable LoopFeed feed() {
        return stream.feed();
    }

    @Override
    public void abandon() {
        stream.abandon();
    }

    /// Ends the time in which the response can be steered.
    ///
    /// @return the answer to later steers
    synchronized SteerRefusal end() {
        boolean answered = running.run().ending().filter(how -> how.answered()).isPresent();
        over = answered ? SteerRefusal.RESPONSE_ALREADY_COMPLETED : SteerRefusal.RESPONSE_NOT_ACTIVE;
        return over;
    }

    /// The steers of this lane that count. A replayed response may have steers of others.
    private List<ModelOutput.Steered> counted() {
        return running.assembler().steers().stream()
                .filter(steer -> sent.containsKey(steer.steer()))
                .toList();
    }

    /// What becomes of the steers, after the end.
    synchronized Aftermath aftermath() {
        var late = end();
        var counted = counted();
        var events = new ArrayList<ObjectNode>();
        sent.forEach((name, input) -> {
            if (counted.stream().noneMatch(steer -> steer.steer() == name)) {
                events.add(late.event(null, id(), WireJson.parse(input)));
            }
        });
        if (late != SteerRefusal.RESPONSE_ALREADY_COMPLETED) {
            events.addAll(failures());
            return new Aftermath(events, false);
        }
        var required = required();
        if (!required.isEmpty()) {
            for (var steer : counted) {
                var pending = event("pending", steer).put("reason", "waiting_for_required_input");
                events.add(pending.set("required_input", required));
            }
        }
        return new Aftermath(events, required.isEmpty() && !counted.isEmpty());
    }

    /// Forgets the input that waits for a response that could not be created: its client has it back by [#failures].
    void drop() {
        steers.turns().drop(id(), steers.tenant());
    }

    /// The events of accepted steers whose response could not be created.
    synchronized List<ObjectNode> failures() {
        return counted().stream()
                .map(steer -> SteerRefusal.SUCCESSOR_CREATION_FAILED.event(
                        name(steer.steer()), id(), WireJson.parse(sent.getOrDefault(steer.steer(), steer.input()))))
                .toList();
    }

    /// The results of tools that the client owes.
    private ArrayNode required() {
        var stubs = JsonNodeFactory.instance.arrayNode();
        for (var item : InputItems.whole(running.assembler().response()).output()) {
            switch (item) {
                case FunctionCall call
                when !ItemStatus.INCOMPLETE.equals(call.status()) && !Boolean.TRUE.equals(call.async()) ->
                    stubs.addObject().put("type", "function_call_output").put("call_id", call.callId());
                case HostedItem.CustomToolCall call
                when !Boolean.TRUE.equals(call.async()) ->
                    stubs.addObject().put("type", "custom_tool_call_output").put("call_id", call.callId());
                default -> {}
            }
        }
        return stubs;
    }
}
