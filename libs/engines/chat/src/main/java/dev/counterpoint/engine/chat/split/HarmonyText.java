package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Takes Harmony apart that a server left in its text, with its control tokens
/// (`<|channel|>analysis<|message|>…`) or stripped of them (`analysis…assistantfinal…`), calls included.
/// Text that begins neither way is not told. Pure but for its memory, whatever pieces the text comes in;
/// not thread-safe.
public final class HarmonyText {
    private static final List<String> CHANNELS = List.of("analysis", "commentary", "final");
    private static final String ASSISTANT = "assistant";
    private static final int BEGINNING_MAX = 64;
    /// Words that begin like the channel and are none.
    private static final Pattern FINAL_WORD =
            Pattern.compile("final(?:[ ,.]|(?:ly|s|e)(?![a-z])|i[sz]|ity|$).*", Pattern.DOTALL);

    private final ControlText control = new ControlText();
    private final List<ToldPart> told = new ArrayList<>();
    private final Form marked = new MarkedHarmony(this::say);
    /// Not known until the text has begun.
    private @Nullable Form form;

    private final StringBuilder beginning = new StringBuilder();
    private boolean decided;
    private boolean answered;
    private boolean reasoned;

    /// One of the two forms.
    interface Form {
        void words(String text);

        void control(int token);

        void finish(boolean whole);
    }

    /// Takes more text; gives what is certain.
    public List<ToldPart> accept(String text) {
        if (decided) {
            say(new TextPiece(Kind.ANSWER, text));
        } else {
            control.accept(text);
            read(false);
        }
        return take();
    }

    /// The server told the reasoning by itself: what is held is the answer, and so is all that follows.
    public List<ToldPart> decide() {
        if (!decided) {
            decided = true;
            if (form != null) {
                form.finish(true);
            }
            say(new TextPiece(Kind.ANSWER, beginning + control.rest()));
        }
        return take();
    }

    /// The text is over.
    ///
    /// @param whole whether the model ended by itself, and not by a limit
    public List<ToldPart> finish(boolean whole) {
        if (!decided) {
            read(true);
            if (form == null) {
                say(new TextPiece(Kind.UNTOLD, beginning.toString()));
            } else {
                form.finish(whole);
            }
            if (reasoned && !answered) {
                told.add(new TextPiece(Kind.UNTOLD, ""));
            }
        }
        return take();
    }

    private void read(boolean last) {
        var token = control.next(last);
        while (token != null) {
            switch (token) {
                case ControlText.Words words -> words(words.text(), last);
                case ControlText.Control found -> control(found.token());
            }
            token = control.next(last);
        }
        if (last && form == null && !beginning.toString().isBlank()) {
            begin("", true);
        }
    }

    private void control(int token) {
        boolean opens =
                token == SpecialTokens.CHANNEL || token == SpecialTokens.START || token == SpecialTokens.MESSAGE;
        if (form == null) {
            var before = beginning.toString().strip();
            beginning.setLength(0);
            if (CHANNELS.contains(before)) {
                // The prompt, or the server, has taken the token before the channel.
                form = marked;
                form.control(SpecialTokens.CHANNEL);
                form.words(before);
            } else if (!before.isEmpty() && !before.equals(ASSISTANT)) {
                say(new TextPiece(Kind.UNTOLD, before));
            }
            form = marked;
        } else if (form != marked && opens) {
            form.finish(true);
            form = marked;
        }
        form.control(token);
    }

    private void words(String text, boolean last) {
        if (form == null) {
            begin(text, last);
        } else {
            form.words(text);
        }
    }

    private void begin(String text, boolean last) {
        beginning.append(text);
        var start = beginning.toString().stripLeading();
        if (start.startsWith(ASSISTANT)) {
            start = start.substring(ASSISTANT.length()).stripLeading();
        }
        var so = start;
        boolean open = CHANNELS.stream().anyMatch(name -> name.startsWith(so) || so.equals(name))
                || ASSISTANT.startsWith(so)
                || so.startsWith("final") && so.length() < "final".length() + 4;
        if (!last && open && beginning.length() < BEGINNING_MAX) {
            return;
        }
        boolean named = CHANNELS.stream().anyMatch(so::startsWith)
                && !FINAL_WORD.matcher(so).matches();
        var stripped = new StrippedHarmony(this::say);
        form = stripped;
        beginning.setLength(0);
        stripped.words((named ? ASSISTANT : "") + (named ? so : start));
    }

    private void say(ToldPart piece) {
        if (piece instanceof TextPiece text) {
            if (text.text().isEmpty()) {
                return;
            }
            boolean blank = text.text().isBlank();
            answered |= text.kind() == Kind.ANSWER && !blank;
            reasoned |= text.kind() == Kind.REASONING && !blank;
        } else {
            answered = true;
        }
        told.add(piece);
    }

    private List<ToldPart> take() {
        var taken = List.copyOf(told);
        told.clear();
        return taken;
    }
}
