package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;

/// A stream of the Responses API. OpenAI's contract has the events and no rule of their order; these rules are what its
/// servers do and its clients need, and are told in the README.
final class ResponsesGrammar implements EventGrammar {
    private final ValidatorOptions options;
    private final StreamViolations violations;
    private final ResponseSnapshots snapshots;
    private final TreeMap<Integer, ItemState> items = new TreeMap<>();
    private final Set<EventTransition.Sound> silent = EnumSet.noneOf(EventTransition.Sound.class);
    private long next;
    private boolean begun;
    private boolean ended;

    ResponsesGrammar(ValidatorOptions options, StreamViolations violations) {
        this.options = options;
        this.violations = violations;
        this.snapshots = new ResponseSnapshots(options.whole(), violations);
        this.next = options.startingAfter() + 1;
    }

    @Override
    public String eventName(ObjectNode event) {
        return event.path("type").asText();
    }

    @Override
    public void accept(ObjectNode event) {
        sequence(event.path("sequence_number"));
        var move = EventTransition.of(event.path("type").asText());
        if (ended) {
            violations.add(ValidationRule.ENDING, "comes after the end of the response; only [DONE] may");
        } else if (move == null) {
            violations.add(ValidationRule.SCHEMA, "the contract has no event of this type");
        } else {
            if (!begun) {
                first(move);
            }
            if (!SchemaCheck.holds(event, StreamEvent.class, violations)) {
                violations.muteRestOfEvent();
            }
            step(move, event);
        }
        begun = true;
    }

    @Override
    public void end() {
        boolean nothingLeft = !begun && !options.whole();
        if (!ended && !nothingLeft) {
            violations.add(
                    ValidationRule.ENDING,
                    begun
                            ? "the response has no end: response.completed, response.incomplete or response.failed is "
                                    + "missing"
                            : "the stream has no events");
        }
    }

    private void sequence(JsonNode number) {
        if (!number.isIntegralNumber()) {
            next++; // its schema says so
            return;
        }
        if (number.longValue() != next) {
            violations.add(
                    ValidationRule.SEQUENCE,
                    "sequence_number is " + number.longValue() + ", and " + (begun ? "the next" : "the first") + " is "
                            + next);
        }
        next = number.longValue() + 1;
    }

    private void first(EventTransition move) {
        boolean begins =
                move instanceof EventTransition.Snapshot(LifecycleStage stage) && stage == LifecycleStage.CREATED;
        if (options.whole() && !begins && !(move instanceof EventTransition.Breakdown)) {
            violations.add(ValidationRule.ORDER, "is the first event; a stream begins with response.created");
        }
    }

    private void step(EventTransition move, ObjectNode event) {
        switch (move) {
            case EventTransition.Snapshot(LifecycleStage stage) -> {
                snapshots.accept(stage, event.path("response"), items.values());
                ended = stage.terminal();
            }
            case EventTransition.Breakdown() -> breakdown(event);
            case EventTransition.ItemOpens() -> open(event);
            case EventTransition.ItemCloses() -> close(event);
            case EventTransition.Within within -> within(within, event);
            case EventTransition.Sounds(var sound, boolean last) -> sound(sound, last, event);
        }
    }

    private void breakdown(ObjectNode event) {
        if (!SchemaCheck.present(event, "", List.of("code", "message", "param"), violations)) {
            violations.muteRestOfEvent();
        }
        if (begun || !options.whole()) {
            violations.add(ValidationRule.ENDING, "a failure after response.created is told by response.failed alone");
        }
        ended = true;
    }

    private void open(ObjectNode event) {
        int index = event.path("output_index").asInt(-1);
        var item = event.path("item");
        if (items.containsKey(index)) {
            violations.add(ValidationRule.IDENTITY, "output_index " + index + " is taken already");
            return;
        }
        if (options.whole() && index != items.size()) {
            violations.add(
                    ValidationRule.IDENTITY, "output_index " + index + " is not the next, which is " + items.size());
        }
        var id = item.path("id").asText("");
        if (id.isEmpty()) {
            violations.add(ValidationRule.IDENTITY, "the item has no id, so no event can name it");
        } else if (items.values().stream().anyMatch(other -> other.id().equals(id))) {
            violations.add(ValidationRule.IDENTITY, "the id is that of another item");
        }
        items.put(index, ItemState.opened(index, item, violations));
    }

    private void close(ObjectNode event) {
        int index = event.path("output_index").asInt(-1);
        var item = items.get(index);
        if (item == null) {
            item = joined(index, event.path("item"));
        }
        if (isOpen(item)) {
            item.close(event.path("item"));
        }
    }

    private void within(EventTransition.Within move, ObjectNode event) {
        int index = event.path("output_index").asInt(-1);
        var item = items.get(index);
        if (item == null) {
            item = joined(
                    index,
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("id", event.path("item_id").asText()));
        }
        if (isOpen(item)) {
            item.accept(move, event);
        }
    }

    /// An item that is open already when a stream is taken up, or whose opening is missing.
    private ItemState joined(int index, JsonNode item) {
        if (options.whole()) {
            violations.add(
                    ValidationRule.ORDER,
                    "item " + index + " was never opened: its response.output_item.added is missing");
        }
        var joined = ItemState.joined(index, item, violations);
        items.put(index, joined);
        return joined;
    }

    private boolean isOpen(ItemState item) {
        if (!item.done().isMissingNode()) {
            violations.add(ValidationRule.ORDER, item.name() + " is closed already");
            return false;
        }
        return true;
    }

    private void sound(EventTransition.Sound sound, boolean last, ObjectNode event) {
        if (silent.contains(sound)) {
            violations.add(ValidationRule.ORDER, "the " + sound.name().toLowerCase(Locale.ROOT) + " is over already");
        }
        var id = event.path("response_id");
        if (id.isTextual() && !snapshots.id().isEmpty() && !id.textValue().equals(snapshots.id())) {
            violations.add(ValidationRule.IDENTITY, "response_id is not the response's");
        }
        if (last) {
            silent.add(sound);
        }
    }
}
