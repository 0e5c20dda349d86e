package dev.counterpoint.engine.gguf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.engine.gguf.TurnStep.Part;
import org.jspecify.annotations.Nullable;

/// Takes a turn's text apart by its steps, however the text is cut. What is certain comes out at once. Not
/// thread-safe.
final class TurnReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNICODE_LENGTH = 6;

    /// Hears the parts.
    interface Listener {
        /// More of a part; never empty.
        default void text(Part part, String text) {}

        default void called(FunctionTool tool) {}
    }

    private final Listener listener;
    private final StringBuilder held = new StringBuilder();
    private TurnStep step;
    /// The opening quote of a JSON string was read.
    private boolean opened;

    TurnReader(TurnStep turn, Listener listener) {
        this.step = turn;
        this.listener = listener;
    }

    /// What would end the reasoning here; null where none is open.
    @Nullable
    String reasoningEnd() {
        return switch (step) {
            case TurnStep.Until(var part, var mark, var _) when part == Part.REASONING -> mark;
            case TurnStep.Quoted(var part, var _) when part == Part.REASONING && opened -> "\"";
            default -> null;
        };
    }

    void accept(String text) {
        held.append(text);
        while (read()) {
            // The next step may know what to do with the rest.
        }
    }

    /// The text is over.
    void finish() {
        if (step instanceof TurnStep.Choice(var _, var otherwise) && otherwise != null) {
            step = otherwise;
            read();
        }
        if (step instanceof TurnStep.Rest(var part, var _, var suffix)) {
            boolean whole = held.toString().endsWith(suffix);
            say(part, held.substring(0, held.length() - (whole ? suffix.length() : 0)));
            held.setLength(0);
        }
    }

    /// @return whether a step is over, so that the next may read on
    private boolean read() {
        return switch (step) {
            case TurnStep.Choice choice -> choose(choice);
            case TurnStep.Until until -> readTo(until);
            case TurnStep.Quoted quoted -> readString(quoted);
            case TurnStep.Blanks(var next) -> {
                held.replace(0, held.length(), held.toString().stripLeading());
                step = held.isEmpty() ? step : next;
                yield !held.isEmpty();
            }
            case TurnStep.Call(var tool, var arguments) -> {
                listener.called(tool);
                step = arguments;
                yield true;
            }
            case TurnStep.End _ -> false;
            case TurnStep.Rest(var part, var _, var suffix) -> {
                say(part, take(Math.max(0, held.length() - suffix.length())));
                yield false;
            }
        };
    }

    private boolean choose(TurnStep.Choice choice) {
        var text = held.toString();
        boolean open = false;
        for (var mark : choice.marks().entrySet()) {
            if (text.startsWith(mark.getKey())) {
                held.delete(0, mark.getKey().length());
                step = mark.getValue();
                return true;
            }
            open |= mark.getKey().startsWith(text);
        }
        if (open || choice.otherwise() == null) {
            return false;
        }
        step = choice.otherwise();
        return true;
    }

    private boolean readTo(TurnStep.Until until) {
        int mark = held.indexOf(until.mark());
        if (mark >= 0) {
            say(until.part(), take(mark));
            held.delete(0, until.mark().length());
            step = until.next();
            return true;
        }
        int open = Math.max(0, held.length() - until.mark().length() + 1);
        while (!until.mark().startsWith(held.substring(open))) {
            open++;
        }
        say(until.part(), take(open));
        return false;
    }

    private boolean readString(TurnStep.Quoted quoted) {
        if (!opened && !held.isEmpty()) {
            held.deleteCharAt(0);
            opened = true;
        }
        int at = 0;
        while (at < held.length() && held.charAt(at) != '"' && at + characterLength(at) <= held.length()) {
            at += characterLength(at);
        }
        say(quoted.part(), unescaped(take(at)));
        boolean over = !held.isEmpty() && held.charAt(0) == '"';
        if (over) {
            held.deleteCharAt(0);
            opened = false;
            step = quoted.next();
        }
        return over;
    }

    /// The length of the character that begins here (RFC 8259, section 7), even where it is not whole yet.
    private int characterLength(int at) {
        if (held.charAt(at) != '\\') {
            return 1;
        }
        return at + 1 < held.length() && held.charAt(at + 1) == 'u' ? UNICODE_LENGTH : 2;
    }

    private static String unescaped(String inside) {
        try {
            return JSON.readValue('"' + inside + '"', String.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the mask let a string through that is no JSON");
        }
    }

    private String take(int length) {
        var text = held.substring(0, length);
        held.delete(0, length);
        return text;
    }

    private void say(Part part, String text) {
        if (!text.isEmpty()) {
            listener.text(part, text);
        }
    }
}
