package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.harmony.HarmonyParser;
import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.ParsedMessage;
import dev.counterpoint.harmony.ReasoningEffort;
import dev.counterpoint.harmony.Role;
import dev.counterpoint.harmony.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads a prompt's tokens back into the [Situation] they describe.
final class PromptReader {
    private static final Pattern EFFORT = Pattern.compile("^Reasoning: (low|medium|high)\\s*$", Pattern.MULTILINE);
    private static final Pattern TOOLS = Pattern.compile("(?m)^# Tools$");
    private static final Pattern FORMATS = Pattern.compile("(?m)^# Response Formats$");
    private static final Pattern JSON_WANTED =
            Pattern.compile("(?i)\\b(?:in|as|with|valid|return|output|respond|reply|answer"
                    + "|produce|give|only|a)\\b[^.?!\\n]{0,40}\\bJSON\\b"
                    + "|\\bJSON (?:object|format|only)\\b");

    private PromptReader() {}

    static Situation read(HarmonyTokenizer tokenizer, int[] prompt, Wording wording) {
        int open = openHeader(prompt);
        var messages = HarmonyParser.parsePrompt(Arrays.copyOf(prompt, open));
        var opening = open == prompt.length ? "" : MarkedText.decode(tokenizer, prompt, open + 1, prompt.length);
        var effort = ReasoningEffort.MEDIUM;
        var instructions = new StringBuilder();
        var tools = new ArrayList<DeclaredTool>();
        var dialogue = new ArrayList<ParsedMessage>();
        Shape shape = null;
        for (var message : messages) {
            var role = message.author().role();
            if (role != Role.SYSTEM && role != Role.DEVELOPER) {
                dialogue.add(message);
                continue;
            }
            var text = message.text();
            effort = role == Role.SYSTEM ? effort(text, effort) : effort;
            tools.addAll(ToolReader.read(text));
            shape = responseFormat(text, shape);
            instructions.append(role == Role.SYSTEM ? ownWords(text) : instructions(text));
        }
        var whole = instructions.toString().strip();
        boolean json = shape != null
                || JSON_WANTED.matcher(whole + "\n" + lastUser(dialogue)).find();
        return new Situation(opening, effort, whole, shape, json, tools, dialogue, wording);
    }

    /// Where the message begins that the prompt leaves open; the prompt's length when it leaves none.
    private static int openHeader(int[] prompt) {
        for (int i = prompt.length - 1; i >= 0 && !SpecialTokens.isStop(prompt[i]); i--) {
            if (prompt[i] == SpecialTokens.START) {
                return i;
            }
        }
        return prompt.length;
    }

    private static ReasoningEffort effort(String text, ReasoningEffort otherwise) {
        var effort = EFFORT.matcher(text);
        if (!effort.find()) {
            return otherwise;
        }
        return switch (effort.group(1)) {
            case "low" -> ReasoningEffort.LOW;
            case "high" -> ReasoningEffort.HIGH;
            default -> ReasoningEffort.MEDIUM;
        };
    }

    private static String instructions(String text) {
        int end = text.length();
        for (var section : List.of(TOOLS, FORMATS)) {
            var begin = section.matcher(text);
            end = begin.find() ? Math.min(end, begin.start()) : end;
        }
        return text.substring(0, end).replaceFirst("^# Instructions\\s*", "") + "\n";
    }

    /// A system message in the usual form says nothing that a skill could use; one in free words does.
    private static String ownWords(String text) {
        return text.contains("# Valid channels") || EFFORT.matcher(text).find() ? "" : text + "\n";
    }

    private static @Nullable Shape responseFormat(String text, @Nullable Shape otherwise) {
        var section = FORMATS.matcher(text);
        if (!section.find()) {
            return otherwise;
        }
        // The schema begins a line; a description above it may hold braces, too.
        int line = text.indexOf("\n{", section.end());
        int brace = line < 0 ? text.indexOf('{', section.end()) : line + 1;
        var schema = brace < 0 ? null : Json.parseFirst(text.substring(brace));
        return schema == null ? otherwise : SchemaReader.read(schema);
    }

    private static String lastUser(List<ParsedMessage> dialogue) {
        for (var message : dialogue.reversed()) {
            if (message.author().role() == Role.USER) {
                return message.text();
            }
        }
        return "";
    }
}
