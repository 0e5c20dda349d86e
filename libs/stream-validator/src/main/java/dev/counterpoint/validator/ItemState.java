package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One output item: what is open in it, and whether that comes in order.
final class ItemState {
    private static final List<String> CONSTANT = List.of("type", "role", "phase", "name", "call_id", "server_label");
    /// More parts than any item has; a stream that names a higher index gets no more of ours.
    private static final int PARTS_MAX = 10_000;

    private final int index;
    private final String kind;
    private final String id;
    private final JsonNode added;
    private final boolean fromStart;
    private final StreamViolations violations;
    private final Map<TextKind.Family, List<PartState>> parts = new EnumMap<>(TextKind.Family.class);
    private final CommandOutputs outputs;
    private EventTransition.@Nullable Step step;
    private int images;
    private JsonNode done = MissingNode.getInstance();

    private ItemState(int index, JsonNode item, boolean fromStart, StreamViolations violations) {
        this.index = index;
        this.kind = item.path("type").asText();
        this.id = item.path("id").asText();
        this.added = item;
        this.fromStart = fromStart;
        this.violations = violations;
        this.outputs = new CommandOutputs(name(), fromStart, violations);
        for (var family : TextKind.Family.values()) {
            parts.put(family, new ArrayList<>());
        }
    }

    /// An item that opens.
    static ItemState opened(int index, JsonNode item, StreamViolations violations) {
        var state = new ItemState(index, item, true, violations);
        state.opensEmpty("content");
        state.opensEmpty("summary");
        return state;
    }

    /// An item whose beginning is not in the stream; `item` holds its known state.
    static ItemState joined(int index, JsonNode item, StreamViolations violations) {
        return new ItemState(index, item, false, violations);
    }

    int index() {
        return index;
    }

    String id() {
        return id;
    }

    /// What messages call it.
    String name() {
        return "item " + index + (kind.isEmpty() ? "" : " (" + kind + ")");
    }

    /// The item as its done event had it; missing while it is open.
    JsonNode done() {
        return done;
    }

    void accept(EventTransition.Within move, JsonNode event) {
        if (!kind.isEmpty() && !move.fits(kind)) {
            violations.add(ValidationRule.KIND, name() + " is of a kind that has no such event");
            return;
        }
        var said = event.path("item_id");
        if (said.isTextual() && !said.textValue().equals(id)) {
            violations.add(ValidationRule.IDENTITY, "item_id is not the id that " + name() + " was opened with");
        }
        switch (move) {
            case EventTransition.PartOpens(var family) -> open(family, event);
            case EventTransition.PartCloses(var family) ->
                part(family, event, "").close(event.path("part"));
            case EventTransition.TextGrows(var text) ->
                part(text.family(), event, text.part())
                        .grow(text, event.path("delta").asText());
            case EventTransition.TextCloses(var text) -> settle(text, event);
            case EventTransition.Annotates() ->
                part(TextKind.Family.CONTENT, event, TextKind.OUTPUT_TEXT.part())
                        .annotate(event);
            case EventTransition.Progress(var _, var next) -> progress(next);
            case EventTransition.Compacts() -> {}
            case EventTransition.ShowsImage() -> image(event);
            case EventTransition.CommandPutsOut(boolean last) -> outputs.accept(event, last);
        }
    }

    private void open(TextKind.Family family, JsonNode event) {
        var siblings = siblings(family);
        int number = event.path(family.index()).asInt(-1);
        if (fromStart && number != siblings.size()) {
            violations.add(
                    ValidationRule.IDENTITY,
                    family.index() + " " + number + " of " + name() + " is not the next, which is " + siblings.size());
            return;
        }
        if (!siblings.isEmpty() && siblings.getLast().open()) {
            violations.add(ValidationRule.ORDER, "the " + family.words() + " before it is still open");
        }
        if (family == TextKind.Family.COMMAND) {
            join(family, number, TextKind.COMMAND.part(), true)
                    .begin(event.path("command").asText());
            return;
        }
        var part = event.path("part");
        var type = part.path("type").asText();
        if (family == TextKind.Family.CONTENT && !kind.isEmpty() && isReasoning() != type.equals("reasoning_text")) {
            violations.add(ValidationRule.KIND, name() + " opens a part of type " + type);
        }
        join(family, number, type, true).begin(PartState.textOf(part));
    }

    private boolean isReasoning() {
        return kind.equals(TextKind.REASONING.itemKind());
    }

    private void settle(TextKind text, JsonNode event) {
        part(text.family(), event, text.part())
                .settle(text, event.path(text.member()).asText());
        var name = event.path("name");
        if (text == TextKind.FUNCTION_ARGUMENTS && name.isTextual() && !name.equals(added.path("name")) && fromStart) {
            violations.add(ValidationRule.IDENTITY, "name is not the one that " + name() + " was opened with");
        }
    }

    /// The part that the event is about; one that was never opened is reported and made up.
    private PartState part(TextKind.Family family, JsonNode event, String type) {
        boolean opensItself = family == TextKind.Family.MEMBER;
        int number = opensItself ? 0 : event.path(family.index()).asInt(-1);
        if (number >= 0 && number < siblings(family).size()) {
            return siblings(family).get(number);
        }
        if (fromStart && !opensItself) {
            violations.add(
                    ValidationRule.ORDER, partName(family, number) + " was never opened: its added event is missing");
        }
        return join(family, number, type, opensItself && fromStart);
    }

    /// Adds the part of that number, and those before it that did not come by.
    private PartState join(TextKind.Family family, int number, String type, boolean whole) {
        var siblings = siblings(family);
        while (siblings.size() < Math.min(number, PARTS_MAX)) {
            siblings.add(new PartState(family, partName(family, siblings.size()), type, false, violations));
        }
        var part = new PartState(family, partName(family, number), type, whole, violations);
        if (number == siblings.size()) {
            siblings.add(part);
        }
        return part;
    }

    private void progress(EventTransition.Step next) {
        if (step != null && next.compareTo(step) <= 0) {
            violations.add(ValidationRule.ORDER, name() + " got as far as this already");
        } else if (step == null && next != EventTransition.Step.BEGUN && fromStart) {
            violations.add(ValidationRule.ORDER, name() + " got as far as this without its in_progress event");
        }
        step = next;
    }

    private void image(JsonNode event) {
        int number = event.path("partial_image_index").asInt(-1);
        if (fromStart && number != images) {
            violations.add(
                    ValidationRule.IDENTITY, "partial_image_index " + number + " is not the next, which is " + images);
        }
        if (step == EventTransition.Step.OVER) {
            violations.add(ValidationRule.ORDER, name() + " is over already");
        }
        images++;
    }

    /// The item's own done event: nothing in it is open, and it holds all that came.
    void close(JsonNode item) {
        done = item;
        if (fromStart) {
            constant(item);
        }
        var status = item.path("status").asText();
        if (step != null
                && step != EventTransition.Step.OVER
                && !status.equals("incomplete")
                && !status.equals("failed")) {
            violations.add(ValidationRule.ORDER, name() + " is closed before the tool was over");
        }
        for (var family : TextKind.Family.values()) {
            if (siblings(family).stream().anyMatch(PartState::open)) {
                violations.add(
                        ValidationRule.ORDER, name() + " is closed while a " + family.words() + " of it is open");
            }
        }
        new ItemCompleteness(name(), kind, fromStart, violations).check(item, parts);
        outputs.compareWith(item);
    }

    private void constant(JsonNode item) {
        if (!item.path("id").asText().equals(id)) {
            violations.add(ValidationRule.IDENTITY, "id is not the one that " + name() + " was opened with");
        }
        for (var member : CONSTANT) {
            if (!ValueDifference.absent(added.path(member))
                    && !added.path(member).equals(item.path(member))) {
                violations.add(ValidationRule.IDENTITY, member + " is not the one that " + name() + " was opened with");
            }
        }
    }

    private void opensEmpty(String member) {
        if (!added.path(member).isEmpty()) {
            violations.add(ValidationRule.ORDER, name() + " opens with " + member + " that no event has opened");
        }
    }

    private String partName(TextKind.Family family, int number) {
        return family == TextKind.Family.MEMBER
                ? "the text of " + name()
                : family.words() + " " + number + " of " + name();
    }

    private List<PartState> siblings(TextKind.Family family) {
        return Objects.requireNonNull(parts.get(family));
    }
}
