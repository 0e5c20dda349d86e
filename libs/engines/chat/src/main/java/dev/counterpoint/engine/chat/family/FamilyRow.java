package dev.counterpoint.engine.chat.family;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.chat.family.ModelFamily.CallIds;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import dev.counterpoint.engine.chat.family.ModelFamily.Opener;
import dev.counterpoint.engine.chat.family.ThinkingSwitch.Setting;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/// A family, and how its models are known.
///
/// @param names that stand anywhere in a model's name
/// @param templates strings of which a chat template of the family has one
record FamilyRow(ModelFamily family, List<Pattern> names, List<String> templates) {
    static FamilyRow read(JsonNode row) {
        var family = new ModelFamily(
                row.required("name").asText(),
                Form.valueOf(constant(row.required("form").asText())),
                each(row.path("marks"), FamilyRow::marks),
                each(row.path("answer"), FamilyRow::marks),
                Opener.valueOf(constant(row.path("opener").asText(Opener.MODEL.name()))),
                new ThinkingSwitch(
                        setting(row.path("on")),
                        setting(row.path("off")),
                        row.path("effort").asBoolean()),
                CallIds.valueOf(constant(row.path("callIds").asText(CallIds.ANY.name()))),
                row.required("source").asText(),
                row.path("sourceRead").asBoolean(true));
        return new FamilyRow(
                family,
                each(row.path("names"), name -> Pattern.compile(name.asText())),
                each(row.path("template"), JsonNode::asText));
    }

    boolean isNamed(String model) {
        return names.stream().anyMatch(name -> name.matcher(model).find());
    }

    boolean isOfTemplate(String template) {
        return templates.stream().anyMatch(template::contains);
    }

    private static Setting setting(JsonNode node) {
        var members = node.path("members") instanceof ObjectNode given ? given : JsonNodeFactory.instance.objectNode();
        return new Setting(members, node.path("line").asText(""));
    }

    private static MarkPair marks(JsonNode pair) {
        return new MarkPair(pair.required(0).asText(), pair.required(1).asText());
    }

    private static <T> List<T> each(JsonNode list, Function<JsonNode, T> read) {
        return StreamSupport.stream(list.spliterator(), false).map(read).toList();
    }

    private static String constant(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
