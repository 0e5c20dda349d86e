package dev.counterpoint.engine.gguf;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.engine.gguf.TurnStep.Part;
import org.jspecify.annotations.Nullable;

/// Takes a turn's text apart by its steps, however the text is cut. What is certain comes out at once. Not
/// thread-safe.
final class TurnReader {
    /// Hears the parts.
    interface Listener {
        /// More of a part; never empty.
        void text(Part part, String text);

        void called(FunctionTool tool);
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
                int text = 0;
                while (text < held.length() && Character.isWhitespace(held.charAt(text))) {
                    text++;
                }
                held.delete(0, text);
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
        var text = new StringBuilder();
        int at = 0;
        while (at < held.length() && held.charAt(at) != '"') {
            int end = JsonEscapes.end(held, at);
            if (end > held.length()) {
                break;
            }
            JsonEscapes.resolve(held, at, text);
            at = end;
        }
        boolean over = at < held.length() && held.charAt(at) == '"';
        held.delete(0, over ? at + 1 : at);
        say(quoted.part(), text.toString());
        if (over) {
            opened = false;
            step = quoted.next();
        }
        return over;
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
