package dev.counterpoint.openai.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import java.util.regex.Pattern;

/// Replaces each half of a surrogate pair by U+FFFD, in texts and in names. Clients send such halves when they cut a
/// text in the middle of an emoji. No encoder can write them, so each would be replaced later, by each library in its
/// own way.
final class WholeCharacters extends JsonParserDelegate {
    private static final Pattern HALVES = Pattern.compile("\\p{Cs}");

    WholeCharacters(JsonParser parser) {
        super(parser);
    }

    @Override
    public String getText() throws IOException {
        return whole(super.getText());
    }

    @Override
    public String currentName() throws IOException {
        return whole(super.currentName());
    }

    private static String whole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return HALVES.matcher(text).replaceAll("\uFFFD");
            }
        }
        return text;
    }
}
