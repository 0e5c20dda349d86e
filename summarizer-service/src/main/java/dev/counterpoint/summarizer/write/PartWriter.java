package dev.counterpoint.summarizer.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.describe.WordList;
import dev.counterpoint.summarizer.judge.Placeholders;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.text.Normalizer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The prompt for the writer of a response's summary. It holds the user's messages and a piece of the reasoning,
/// both with placeholders, and no text of a developer, a system or a tool. Immutable.
final class PartWriter {
    private static final int TOKENS_MAX = 256;
    private static final String SCHEMA = """
            {"type":"object","properties":{"title":{"type":"string","minLength":1,"maxLength":80},\
            "text":{"type":"string","minLength":1,"maxLength":420}},\
            "required":["title","text"],"additionalProperties":false}""";
    private static final String INSTRUCTIONS = WordList.text(PartWriter.class, "instructions.txt");
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final String instructions;
    private final String user;

    PartWriter(String userText, SummaryLanguage language) {
        instructions = INSTRUCTIONS.replace(
                "{language}", Locale.forLanguageTag(language.tag()).getDisplayLanguage(Locale.ENGLISH));
        user = masked(userText);
    }

    /// The end of a text as a model may read it.
    static String masked(String text) {
        return Placeholders.masked(text.substring(Math.max(0, text.length() - HeldChanges.READ_MAX)));
    }

    /// @param segment of the reasoning
    /// @param before the title of the part that was shown last; empty for none
    DraftTask task(String segment, String before) {
        var input = new LinkedHashMap<String, String>();
        input.put("user", user);
        input.put("before", before);
        input.put("thinking", masked(segment));
        return new DraftTask(instructions, json(input), SCHEMA, TOKENS_MAX);
    }

    /// A JSON value in which no special token begins.
    static String json(Map<String, ?> value) {
        try {
            return JSON.writeValueAsString(value).replace("<|", "< |");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts are no JSON");
        }
    }

    /// What a model wrote, as JSON; null where it is none.
    static @Nullable JsonNode answer(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /// The part that a model wrote; null for anything else than the schema says.
    static @Nullable SummaryPart part(String text) {
        var answer = answer(text);
        if (answer == null
                || answer.size() != 2
                || !answer.path("title").isTextual()
                || !answer.path("text").isTextual()) {
            return null;
        }
        return new SummaryPart(
                plain(answer.path("title").asText()), plain(answer.path("text").asText()));
    }

    private static String plain(String text) {
        return Normalizer.normalize(text.strip(), Normalizer.Form.NFC);
    }
}
