package dev.counterpoint.validator;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What an event does: the place of each of the contract's 59 event types in the grammar.
sealed interface EventTransition {
    /// Shows the whole response.
    record Snapshot(LifecycleStage stage) implements EventTransition {}

    /// Says that there will be no response.
    record Breakdown() implements EventTransition {}

    record ItemOpens() implements EventTransition {}

    record ItemCloses() implements EventTransition {}

    /// Says something of the sound beside the items.
    record Sounds(Sound sound, boolean last) implements EventTransition {}

    /// Happens within an item that is open.
    sealed interface Within extends EventTransition {
        /// Whether items of that `type` have such events.
        boolean fits(String itemKind);
    }

    record PartOpens(TextKind.Family family) implements Within {
        @Override
        public boolean fits(String itemKind) {
            return EventTransition.holds(family, itemKind);
        }
    }

    record PartCloses(TextKind.Family family) implements Within {
        @Override
        public boolean fits(String itemKind) {
            return EventTransition.holds(family, itemKind);
        }
    }

    record TextGrows(TextKind text) implements Within {
        @Override
        public boolean fits(String itemKind) {
            return text.itemKind().equals(itemKind);
        }
    }

    record TextCloses(TextKind text) implements Within {
        @Override
        public boolean fits(String itemKind) {
            return text.itemKind().equals(itemKind);
        }
    }

    record Annotates() implements Within {
        @Override
        public boolean fits(String itemKind) {
            return itemKind.equals("message");
        }
    }

    /// A tool that the server runs gets on.
    record Progress(String tool, Step step) implements Within {
        @Override
        public boolean fits(String itemKind) {
            return tool.equals(itemKind);
        }
    }

    /// A summary is being written; may come again.
    record Compacts() implements Within {
        @Override
        public boolean fits(String itemKind) {
            return itemKind.equals("compaction");
        }
    }

    record ShowsImage() implements Within {
        @Override
        public boolean fits(String itemKind) {
            return itemKind.equals("image_generation_call");
        }
    }

    record CommandPutsOut(boolean last) implements Within {
        @Override
        public boolean fits(String itemKind) {
            return itemKind.equals("shell_call_output");
        }
    }

    /// How far a tool is; each step comes at most once, in this order.
    enum Step {
        BEGUN,
        WORKING,
        OVER
    }

    enum Sound {
        AUDIO,
        TRANSCRIPT
    }

    /// What an event of this type does, null for a type that the contract does not have.
    static @Nullable EventTransition of(String type) {
        return Table.MOVES.get(type);
    }

    /// All types that have a place.
    static Set<String> types() {
        return Table.MOVES.keySet();
    }

    private static boolean holds(TextKind.Family family, String itemKind) {
        return switch (family) {
            case CONTENT -> itemKind.equals("message") || itemKind.equals("reasoning");
            case SUMMARY -> itemKind.equals("reasoning");
            case COMMAND -> itemKind.equals("shell_call");
            case MEMBER -> false;
        };
    }

    /// The whole list.
    final class Table {
        private static final Map<String, EventTransition> MOVES = Map.copyOf(moves());

        private Table() {}

        private static Map<String, EventTransition> moves() {
            var moves = new HashMap<String, EventTransition>();
            for (var stage : LifecycleStage.values()) {
                moves.put("response." + stage.name().toLowerCase(Locale.ROOT), new Snapshot(stage));
            }
            moves.put("error", new Breakdown());
            moves.put("response.output_item.added", new ItemOpens());
            moves.put("response.output_item.done", new ItemCloses());
            parts(moves, "response.content_part", TextKind.Family.CONTENT);
            parts(moves, "response.reasoning_summary_part", TextKind.Family.SUMMARY);
            moves.put("response.shell_call_command.added", new PartOpens(TextKind.Family.COMMAND));
            text(moves, "response.output_text", TextKind.OUTPUT_TEXT);
            text(moves, "response.refusal", TextKind.REFUSAL);
            text(moves, "response.reasoning_text", TextKind.REASONING);
            text(moves, "response.reasoning_summary_text", TextKind.SUMMARY);
            text(moves, "response.function_call_arguments", TextKind.FUNCTION_ARGUMENTS);
            text(moves, "response.custom_tool_call_input", TextKind.CUSTOM_INPUT);
            text(moves, "response.mcp_call_arguments", TextKind.MCP_ARGUMENTS);
            text(moves, "response.code_interpreter_call_code", TextKind.CODE);
            text(moves, "response.shell_call_command", TextKind.COMMAND);
            moves.put("response.output_text.annotation.added", new Annotates());
            tools(moves);
            moves.put("response.compaction.compacting", new Compacts());
            moves.put("response.image_generation_call.partial_image", new ShowsImage());
            moves.put("response.shell_call_output_content.delta", new CommandPutsOut(false));
            moves.put("response.shell_call_output_content.done", new CommandPutsOut(true));
            moves.put("response.audio.delta", new Sounds(Sound.AUDIO, false));
            moves.put("response.audio.done", new Sounds(Sound.AUDIO, true));
            moves.put("response.audio.transcript.delta", new Sounds(Sound.TRANSCRIPT, false));
            moves.put("response.audio.transcript.done", new Sounds(Sound.TRANSCRIPT, true));
            return moves;
        }

        private static void parts(Map<String, EventTransition> moves, String name, TextKind.Family family) {
            moves.put(name + ".added", new PartOpens(family));
            moves.put(name + ".done", new PartCloses(family));
        }

        private static void text(Map<String, EventTransition> moves, String name, TextKind text) {
            moves.put(name + ".delta", new TextGrows(text));
            moves.put(name + ".done", new TextCloses(text));
        }

        private static void tools(Map<String, EventTransition> moves) {
            tool(moves, "web_search_call", Map.of("searching", Step.WORKING, "completed", Step.OVER));
            tool(moves, "file_search_call", Map.of("searching", Step.WORKING, "completed", Step.OVER));
            tool(moves, "code_interpreter_call", Map.of("interpreting", Step.WORKING, "completed", Step.OVER));
            tool(moves, "image_generation_call", Map.of("generating", Step.WORKING, "completed", Step.OVER));
            tool(moves, "mcp_call", Map.of("completed", Step.OVER, "failed", Step.OVER));
            tool(moves, "mcp_list_tools", Map.of("completed", Step.OVER, "failed", Step.OVER));
        }

        private static void tool(Map<String, EventTransition> moves, String item, Map<String, Step> steps) {
            moves.put("response." + item + ".in_progress", new Progress(item, Step.BEGUN));
            steps.forEach((name, step) -> moves.put("response." + item + "." + name, new Progress(item, step)));
        }
    }
}
