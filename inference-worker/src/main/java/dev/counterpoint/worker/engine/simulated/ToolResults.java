package dev.counterpoint.worker.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.Role;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers from what the tools returned, once every call is made that the question needs.
final class ToolResults implements Skill {
    private static final int TEXT_MAX = 400;
    private static final int ENTRIES_MAX = 10;

    private final Skill toolUse;

    ToolResults(Skill toolUse) {
        this.toolUse = toolUse;
    }

    @Override
    public @Nullable Answer answer(Situation situation) {
        var turn = situation.openTurn();
        if (turn.isEmpty() || turn.getLast().author().role() != Role.TOOL) {
            return null;
        }
        var more = toolUse.answer(situation);
        if (more != null && more.reply() instanceof Answer.Reply.Call) {
            return more;
        }
        var thoughts = new ArrayList<String>();
        var sentences = new ArrayList<String>();
        var essence = "";
        for (var call : Situation.calls(turn)) {
            if (call.result() == null) {
                thoughts.add("The call of " + call.tool() + " has no result yet, so I leave it out.");
                continue;
            }
            var told = told(call.result());
            thoughts.add("The tool " + call.tool() + " returned: " + told + ".");
            sentences.add(sentence(call, told));
            essence = essence(call.result());
        }
        thoughts.add("These values answer the question; I repeat them exactly and add nothing.");
        return Answer.say(thoughts, String.join(" ", sentences), essence);
    }

    private static String sentence(Situation.MadeCall call, String told) {
        var about = about(call.arguments());
        boolean error = Words.lower(told).startsWith("error");
        var source = "According to " + call.tool() + (about.isEmpty() ? "" : " for " + about);
        return error
                ? source.replaceFirst("According to", "I could not find out: the tool") + " reported " + told + "."
                : source + ": " + told + ".";
    }

    /// What the call was about: the short texts among its arguments.
    private static String about(String arguments) {
        var parsed = Json.parse(arguments);
        var texts = new ArrayList<String>();
        if (parsed != null && parsed.isObject()) {
            for (var value : parsed) {
                if (value.isTextual() && value.asText().length() <= 40) {
                    texts.add(value.asText());
                }
            }
        }
        return Words.join(texts);
    }

    private static String told(String result) {
        var parsed = Json.parse(result);
        var told = parsed == null ? result.strip() : told(parsed);
        return clip(told.isEmpty() ? "nothing" : told).replaceFirst("[.]+$", "");
    }

    private static String told(JsonNode node) {
        if (node.isObject()) {
            var parts = new ArrayList<String>();
            for (var member : node.properties()) {
                var value = told(member.getValue());
                parts.add(String.join(" ", Words.ofIdentifier(member.getKey()))
                        + (member.getValue().isContainerNode() ? ": " : " is ")
                        + value);
            }
            return String.join(", ", parts);
        }
        if (node.isArray()) {
            var parts = new ArrayList<String>();
            for (var entry : node) {
                if (parts.size() == ENTRIES_MAX) {
                    parts.add("and " + (node.size() - ENTRIES_MAX) + " more");
                    break;
                }
                parts.add(entry.isContainerNode() ? "(" + told(entry) + ")" : told(entry));
            }
            return parts.isEmpty() ? "none" : String.join(", ", parts);
        }
        return clip(node.isTextual() ? node.textValue() : node.asText());
    }

    private static String essence(String result) {
        var parsed = Json.parse(result);
        if (parsed != null && parsed.isObject() && parsed.size() > 0) {
            parsed = parsed.iterator().next();
        }
        return parsed != null && parsed.isValueNode() ? parsed.asText() : told(result);
    }

    private static String clip(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "…";
    }

    /// Results as `key: value` lines, so that values can be copied by name.
    static List<String> lines(Situation situation) {
        var lines = new ArrayList<String>();
        for (var call : Situation.calls(situation.openTurn())) {
            var parsed = call.result() == null ? null : Json.parse(call.result());
            if (parsed != null && parsed.isObject()) {
                for (var member : parsed.properties()) {
                    lines.add(member.getKey() + ": "
                            + (member.getValue().isValueNode()
                                    ? member.getValue().asText()
                                    : told(member.getValue())));
                }
            } else if (call.result() != null) {
                lines.add(call.result());
            }
        }
        return lines;
    }
}
