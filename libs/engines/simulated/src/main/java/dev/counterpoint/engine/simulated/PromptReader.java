package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads a prompt's tokens back into its [PromptContent], in time linear in the prompt.
final class PromptReader {
    private static final String INSTRUCTIONS = "# Instructions";
    private static final String TOOLS = "# Tools\n";
    private static final String FORMATS = "# Response Formats\n";

    private PromptReader() {}

    static PromptContent read(int[] prompt, long seed) {
        int open = openHeader(prompt);
        var opening = open == prompt.length ? "" : HarmonyMarkup.decode(prompt, open + 1, prompt.length);
        var effort = ReasoningEffort.MEDIUM;
        var instructions = new StringBuilder();
        var tools = new ArrayList<DeclaredTool>();
        var dialogue = new ArrayList<ParsedMessage>();
        JsonNode schema = null;
        for (var message : HarmonyParser.parsePrompt(Arrays.copyOf(prompt, open))) {
            var text = message.text();
            switch (message.author().role()) {
                case SYSTEM -> {
                    effort = effort(text, effort);
                    instructions.append(ownWords(text));
                }
                case DEVELOPER -> {
                    tools.addAll(DeclaredTool.read(text));
                    schema = schema(text, schema);
                    instructions.append(instructions(text));
                }
                default -> dialogue.add(message);
            }
        }
        var whole = PromptContent.clip(instructions.toString().strip(), PromptContent.READ_MAX);
        return new PromptContent(opening, effort, whole, schema, tools, dialogue, seed);
    }

    /// The beginning of the message that the prompt leaves open; the prompt's length when no message is open.
    private static int openHeader(int[] prompt) {
        for (int i = prompt.length - 1; i >= 0 && !SpecialTokens.isStop(prompt[i]); i--) {
            if (prompt[i] == SpecialTokens.START) {
                return i;
            }
        }
        return prompt.length;
    }

    private static ReasoningEffort effort(String text, ReasoningEffort otherwise) {
        for (var effort : ReasoningEffort.values()) {
            if (text.contains("Reasoning: " + effort.wireName())) {
                return effort;
            }
        }
        return otherwise;
    }

    /// A system message in the usual form says nothing that a skill could use; one in free words does.
    private static String ownWords(String text) {
        return text.contains("# Valid channels") || text.contains("Reasoning: ") ? "" : text + "\n";
    }

    private static String instructions(String text) {
        int end = text.length();
        for (var section : new String[] {TOOLS, FORMATS}) {
            int begin = text.indexOf(section);
            end = begin < 0 ? end : Math.min(end, begin);
        }
        var own = text.substring(0, end);
        return (own.startsWith(INSTRUCTIONS) ? own.substring(INSTRUCTIONS.length()) : own).strip() + "\n";
    }

    private static @Nullable JsonNode schema(String text, @Nullable JsonNode otherwise) {
        int section = text.indexOf(FORMATS);
        // The schema begins a line; a description above it may hold braces, too.
        int line = section < 0 ? -1 : text.indexOf("\n{", section);
        var schema = line < 0 ? null : PromptWords.json(text.substring(line + 1));
        return schema == null ? otherwise : schema;
    }
}
