package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// A text that nothing tells from reasoning is the answer all the same where JSON was asked for and it is
/// one object of JSON from its beginning to its end. So it is held to the end.
final class WholeFormStage implements Stage {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final Pattern BEGINNING =
            Pattern.compile("\\s*(?:`{1,3}|```\\w{0,12}\\s*|```\\w{0,12}\\s*\\{.*|\\{.*)?", Pattern.DOTALL);
    private static final Pattern FENCE = Pattern.compile("\\A\\s*(?:```\\w*)?\\s*|\\s*(?:```)?\\s*\\z");

    private final Stage otherwise;
    private final StringBuilder held = new StringBuilder();
    private boolean other;

    /// @param otherwise takes any other text
    WholeFormStage(Stage otherwise) {
        this.otherwise = otherwise;
    }

    @Override
    public void accept(String text, Consumer<TextPiece> out) {
        if (other) {
            otherwise.accept(text, out);
            return;
        }
        boolean object = held.indexOf("{") >= 0;
        held.append(text);
        if (!object && !BEGINNING.matcher(held).matches()) {
            pass(out);
        }
    }

    @Override
    public void finish(boolean whole, Consumer<TextPiece> out) {
        if (!other) {
            var object = FENCE.matcher(held).replaceAll("");
            if (isObject(object)) {
                out.accept(new TextPiece(Kind.ANSWER, object));
                return;
            }
            pass(out);
        }
        otherwise.finish(whole, out);
    }

    private void pass(Consumer<TextPiece> out) {
        other = true;
        otherwise.accept(held.toString(), out);
        held.setLength(0);
    }

    private static boolean isObject(String text) {
        try {
            return JSON.readTree(text).isObject();
        } catch (JsonProcessingException e) {
            return false;
        }
    }
}
