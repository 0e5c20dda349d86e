package dev.counterpoint.engine.chat.family;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.chat.family.ThinkingSwitch.Setting;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Models that show their reasoning alike.
///
/// @param name as documents and logs call it
/// @param names that stand anywhere in the name of one of its models
/// @param templates strings of which a chat template of the family has one
/// @param form of what the model writes
/// @param reasoning marks around reasoning, those that the model writes itself first; empty where it
///     shows none
/// @param answer marks around the answer, which are not part of it; empty for most
/// @param opener who writes the opening mark
/// @param thinking how it is told to think or not to
/// @param callIds the form of call ids that its template takes
/// @param source where this is to be read
/// @param sourceRead whether somebody read it there; a row that nobody checked does not make unmarked text the
///     answer
public record ModelFamily(
        String name,
        List<Pattern> names,
        List<String> templates,
        Form form,
        List<MarkPair> reasoning,
        List<MarkPair> answer,
        Opener opener,
        ThinkingSwitch thinking,
        CallIds callIds,
        String source,
        boolean sourceRead) {
    public enum Form {
        /// Text with reasoning between marks.
        MARKED,
        /// Harmony, where its server does not take it apart.
        HARMONY,
        /// Answers only.
        PLAIN
    }

    /// Who writes the opening mark.
    public enum Opener {
        MODEL,
        /// The chat template, so that the text begins within reasoning.
        TEMPLATE,
        /// One or the other, as versions or requests differ.
        EITHER
    }

    /// The form of call ids that a template takes.
    public enum CallIds {
        ANY,
        /// Nine letters and digits, as Mistral's templates insist on.
        NINE
    }

    static ModelFamily read(JsonNode row) {
        return new ModelFamily(
                row.required("name").asText(),
                each(row.path("names"), name -> Pattern.compile(name.asText())),
                each(row.path("template"), JsonNode::asText),
                Form.valueOf(constant(row.required("form").asText())),
                each(row.path("marks"), ModelFamily::marks),
                each(row.path("answer"), ModelFamily::marks),
                Opener.valueOf(constant(row.path("opener").asText(Opener.MODEL.name()))),
                new ThinkingSwitch(
                        setting(row.path("on")),
                        setting(row.path("off")),
                        row.path("effort").asBoolean()),
                CallIds.valueOf(constant(row.path("callIds").asText(CallIds.ANY.name()))),
                row.required("source").asText(),
                row.path("sourceRead").asBoolean(true));
    }

    boolean isNamed(String model) {
        return names.stream().anyMatch(each -> each.matcher(model).find());
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
        return list.valueStream().map(read).toList();
    }

    private static String constant(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
