package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A text that comes piece by piece, and the part around it where it has one.
final class PartState {
    private final TextKind.Family family;
    private final String name;
    private final String type;
    private final boolean fromStart;
    private final StreamViolations violations;
    private final StringBuilder text = new StringBuilder();
    private final List<JsonNode> annotations = new ArrayList<>();
    private boolean seen;
    private @Nullable String settled;
    private JsonNode closed = MissingNode.getInstance();

    /// @param name what messages call it, as in `content part 0 of item 1`
    /// @param type of the part, or the name of the item's member
    /// @param fromStart whether all of it came by; the rest is taken on trust
    PartState(TextKind.Family family, String name, String type, boolean fromStart, StreamViolations violations) {
        this.family = family;
        this.name = name;
        this.type = type;
        this.fromStart = fromStart;
        this.violations = violations;
    }

    /// The text of a part.
    static String textOf(JsonNode part) {
        return part.path(part.path("type").asText().equals("refusal") ? "refusal" : "text")
                .asText();
    }

    /// The text so far.
    String text() {
        return text.toString();
    }

    /// Whether anything of it came by, and its end did not.
    boolean open() {
        return seen && !closed();
    }

    /// It was opened, with so much of its text.
    void begin(String first) {
        seen = true;
        text.append(first);
    }

    /// Whether it takes nothing more.
    boolean closed() {
        return switch (family) {
            case CONTENT, SUMMARY -> !closed.isMissingNode();
            case COMMAND, MEMBER -> settled != null;
        };
    }

    void grow(TextKind kind, String delta) {
        if (changes(kind)) {
            text.append(delta);
        }
    }

    void settle(TextKind kind, String whole) {
        if (!changes(kind)) {
            return;
        }
        settled = whole;
        // Of a stream that was taken up in the middle only the end of the text is known.
        boolean fits = !fromStart && whole.endsWith(text.toString());
        var difference = fits ? null : ValueDifference.ofTexts(whole, text);
        if (difference != null) {
            violations.add(
                    ValidationRule.WHOLE,
                    "the text of " + name + " is not the sum of its deltas: differs " + difference);
        }
    }

    void annotate(JsonNode event) {
        if (closed() || !takes(TextKind.OUTPUT_TEXT)) {
            violations.add(ValidationRule.ORDER, name + " takes no annotation, or none any more");
            return;
        }
        int index = event.path("annotation_index").asInt(-1);
        if (fromStart && index != annotations.size()) {
            violations.add(
                    ValidationRule.IDENTITY,
                    "annotation_index " + index + " is not the next, which is " + annotations.size());
        }
        annotations.add(event.path("annotation"));
    }

    /// Accepts the part's own done event, whose text must equal the settled text.
    void close(JsonNode part) {
        if (closed()) {
            violations.add(ValidationRule.ORDER, name + " is closed already");
            return;
        }
        seen = true;
        if (settled == null && fromStart) {
            violations.add(
                    ValidationRule.ORDER, name + " is closed before its text is: the text's done event is missing");
        }
        var partType = part.path("type").asText();
        if (fromStart && !partType.equals(type)) {
            violations.add(ValidationRule.KIND, name + " was opened as " + type + " and is closed as " + partType);
        }
        var whole = textOf(part);
        var difference = settled == null ? null : ValueDifference.ofTexts(whole, settled);
        if (difference != null) {
            violations.add(
                    ValidationRule.WHOLE, name + " does not hold the text of its done event: differs " + difference);
        }
        annotations(part, whole.length());
        closed = part;
    }

    /// Checks that the finished item repeats the closed part.
    void compareWith(JsonNode inItem) {
        if (!closed()) {
            return;
        }
        @Nullable String found;
        if (closed.isMissingNode()) {
            found = ValueDifference.ofTexts(inItem.asText(""), Objects.requireNonNullElse(settled, ""));
        } else {
            var path = ValueDifference.between(closed, inItem);
            found = path == null ? null : path.isEmpty() ? "as a whole" : "in " + path;
        }
        if (found != null) {
            violations.add(
                    ValidationRule.WHOLE, "the item does not hold what was closed as " + name + ": differs " + found);
        }
    }

    private boolean changes(TextKind kind) {
        if (closed()) {
            violations.add(ValidationRule.ORDER, name + " is closed already");
            return false;
        }
        if (settled != null) {
            violations.add(ValidationRule.ORDER, "the text of " + name + " was closed already");
            return false;
        }
        seen = true;
        if (!takes(kind)) {
            violations.add(ValidationRule.KIND, name + " is of type " + type + ", which has no such event");
            return false;
        }
        return true;
    }

    private boolean takes(TextKind kind) {
        return !fromStart || kind.part().equals(type);
    }

    private void annotations(JsonNode part, int length) {
        var said = part.path("annotations");
        if (fromStart && said.size() != annotations.size()) {
            violations.add(
                    ValidationRule.WHOLE,
                    name + " has " + said.size() + " annotations, and " + annotations.size() + " were announced");
        }
        for (int i = 0; i < said.size(); i++) {
            if (fromStart
                    && i < annotations.size()
                    && ValueDifference.between(annotations.get(i), said.get(i)) != null) {
                violations.add(
                        ValidationRule.WHOLE, "annotation " + i + " of " + name + " is not the one that was announced");
            }
            pointsInto(said.get(i), i, length);
        }
    }

    private void pointsInto(JsonNode annotation, int number, int length) {
        int start = annotation.path("start_index").asInt(0);
        int end = annotation.path("end_index").asInt(start);
        if (start < 0 || end < start || end > length || annotation.path("index").asInt(0) > length) {
            violations.add(
                    ValidationRule.WHOLE,
                    "annotation " + number + " of " + name + " points outside of the text, which has " + length
                            + " characters");
        }
    }
}
