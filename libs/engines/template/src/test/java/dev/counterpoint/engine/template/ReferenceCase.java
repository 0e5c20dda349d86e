package dev.counterpoint.engine.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A template, a conversation, and the text that Python's `transformers` renders; null where it refuses.
record ReferenceCase(
        ChatTemplate template,
        String name,
        TemplateInput conversation,
        @Nullable String text) {
    /// @param folder with templates and the `cases.json` that `src/test/python/reference.py` made of them
    static List<ReferenceCase> in(Path folder) {
        try {
            var written =
                    new ObjectMapper().readTree(folder.resolve("cases.json").toFile());
            var tokens = new HashMap<String, String>();
            written.get("tokens")
                    .properties()
                    .forEach(t -> tokens.put(t.getKey(), t.getValue().asText()));
            var now = LocalDateTime.parse(written.get("now").asText());
            var templates = new HashMap<String, ChatTemplate>();
            var all = new ArrayList<ReferenceCase>();
            for (JsonNode one : written.get("cases")) {
                var conversation =
                        written.at("/conversations/" + one.get("conversation").asText());
                var template =
                        templates.computeIfAbsent(one.get("template").asText(), n -> template(folder, n, tokens));
                all.add(new ReferenceCase(
                        template,
                        one.get("template").asText() + ": "
                                + one.get("conversation").asText(),
                        conversation(conversation, now),
                        one.hasNonNull("text") ? one.get("text").asText() : null));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChatTemplate template(Path folder, String name, Map<String, String> tokens) {
        try {
            return new ChatTemplate(name, Files.readString(folder.resolve(name + ".jinja")), tokens);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TemplateInput conversation(JsonNode written, LocalDateTime now) {
        return new TemplateInput(
                (ArrayNode) written.get("messages"),
                written.get("tools") instanceof ArrayNode tools ? tools : null,
                Map.of(),
                written.get("generation_prompt").asBoolean(),
                now);
    }

    @Override
    public String toString() {
        return name;
    }
}
