package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing to do at a screen; places are pixels from its top left corner, `keys` are held meanwhile.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ComputerAction {
    /// `button` is `left`, `right`, `wheel`, `back` or `forward`.
    @JsonTypeName("click")
    record Click(String button, int x, int y, @Nullable List<String> keys, Others others) implements ComputerAction {
        public Click {
            keys = keys == null ? null : List.copyOf(keys);
        }
    }

    @JsonTypeName("double_click")
    record DoubleClick(
            int x, int y, @JsonInclude(ALWAYS) @Nullable List<String> keys, Others others) implements ComputerAction {
        public DoubleClick {
            keys = keys == null ? null : List.copyOf(keys);
        }
    }

    @JsonTypeName("drag")
    record Drag(List<Place> path, @Nullable List<String> keys, Others others) implements ComputerAction {
        public Drag {
            path = List.copyOf(path);
            keys = keys == null ? null : List.copyOf(keys);
        }
    }

    @JsonTypeName("keypress")
    record Keypress(List<String> keys, Others others) implements ComputerAction {
        public Keypress {
            keys = List.copyOf(keys);
        }
    }

    @JsonTypeName("move")
    record Move(int x, int y, @Nullable List<String> keys, Others others) implements ComputerAction {
        public Move {
            keys = keys == null ? null : List.copyOf(keys);
        }
    }

    @JsonTypeName("screenshot")
    record TakeScreenshot(Others others) implements ComputerAction {}

    /// By `scrollX` and `scrollY`, at a place.
    @JsonTypeName("scroll")
    record Scroll(
            int x,
            int y,
            int scrollX,
            int scrollY,
            @Nullable List<String> keys,
            Others others) implements ComputerAction {
        public Scroll {
            keys = keys == null ? null : List.copyOf(keys);
        }
    }

    @JsonTypeName("type")
    record Type(String text, Others others) implements ComputerAction {}

    @JsonTypeName("wait")
    record Wait(Others others) implements ComputerAction {}

    /// An action that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ComputerAction {}

    record Place(int x, int y, Others others) {}
}
