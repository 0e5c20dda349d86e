package dev.counterpoint.engine.chat.split;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Parses Harmony that a server left in its text, with its control tokens (`<|channel|>analysis<|message|>…`) or
/// without them (`analysis…assistantfinal…`), calls included. The text is held until it ends; other text is withheld.
/// Not thread-safe.
public final class HarmonyText implements Extraction {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final Pattern ANALYSIS = Pattern.compile("\\A\\s*(?:assistant\\s*)?analysis");
    private static final Pattern FINAL_ALONE =
            Pattern.compile("\\A\\s*(?:assistant\\s*)?final(?=[^\\p{Ll}\\s,.:]|\\n)", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile(
            "assistant(?:commentary)?\\s*to=([^\\s{]+?)(?:commentary|analysis)?(?:\\s+(?:json|code))?"
                    + "\\s*(\\{.*})\\s*\\z",
            Pattern.DOTALL);
    private static final String FINAL = "assistantfinal";
    private static final String ANALYSIS_AGAIN = "assistantanalysis";
    private static final String COMMENTARY = "assistantcommentary";

    private final StringBuilder held = new StringBuilder();
    private final Consumer<? super ModelPart> out;
    private boolean decided;
    private boolean lost;

    public HarmonyText(Consumer<? super ModelPart> out) {
        this.out = out;
    }

    @Override
    public void accept(String text) {
        if (decided) {
            say(Kind.ANSWER, text);
        } else {
            held.append(text);
            if (lost || held.length() > ReasoningSplitter.HELD_CHARACTERS_MAX) {
                lost = true;
                say(Kind.UNTOLD, takeHeld());
            }
        }
    }

    /// The server separates reasoning: all that follows is the answer, and held text, too, unless it is Harmony.
    @Override
    public void decide() {
        if (!decided) {
            decided = true;
            var text = takeHeld();
            if (!parse(text, true)) {
                say(Kind.ANSWER, text);
            }
        }
    }

    @Override
    public void finish(boolean whole) {
        if (!decided) {
            var text = takeHeld();
            if (!parse(text, whole)) {
                say(Kind.UNTOLD, text.isBlank() ? "" : text);
            }
        }
    }

    /// @return whether it is Harmony
    private boolean parse(String text, boolean whole) {
        if (text.contains("<|message|>")) {
            new MarkedHarmony(out).parse(text, whole);
            return true;
        }
        return stripped(MarkedHarmony.CONTROL.matcher(text).replaceAll(""), whole);
    }

    private boolean stripped(String text, boolean whole) {
        var call = CALL.matcher(text);
        if (whole && call.find() && isJson(call.group(2))) {
            reasoning(text.substring(0, call.start()));
            out.accept(new ModelPart.CallBegun(call.group(1)));
            out.accept(new ModelPart.CallArguments(call.group(2)));
            return true;
        }
        int last = text.lastIndexOf(FINAL);
        var alone = FINAL_ALONE.matcher(text);
        if (last > 0) {
            reasoning(text.substring(0, last));
            say(whole ? Kind.ANSWER : Kind.UNTOLD, text.substring(last + FINAL.length()));
        } else if (alone.find()) {
            say(whole ? Kind.ANSWER : Kind.UNTOLD, text.substring(alone.end()));
        } else if (ANALYSIS.matcher(text).find()) {
            reasoning(text);
        } else {
            return false;
        }
        return true;
    }

    private void reasoning(String text) {
        var name = ANALYSIS.matcher(text);
        boolean clear = text.isBlank() || name.lookingAt() && !text.contains(COMMENTARY);
        say(clear ? Kind.REASONING : Kind.UNTOLD, name.replaceFirst("").replace(ANALYSIS_AGAIN, ""));
    }

    private static boolean isJson(String text) {
        try {
            return JSON.readTree(text).isObject();
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private void say(Kind kind, String text) {
        TextPiece.give(kind, text, out);
    }

    private String takeHeld() {
        var text = held.toString();
        held.setLength(0);
        return text;
    }
}
