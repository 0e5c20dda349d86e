package dev.counterpoint.validator;

import static dev.counterpoint.validator.TestStream.item;
import static dev.counterpoint.validator.TestStream.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// An output item of some kind with the events that tell it, in its own order.
final class RandomItem {
    static final List<String> KINDS = List.of(
            "message",
            "reasoning",
            "function_call",
            "custom_tool_call",
            "mcp_call",
            "mcp_list_tools",
            "web_search_call",
            "file_search_call",
            "code_interpreter_call",
            "image_generation_call",
            "shell_call",
            "shell_call_output",
            "compaction");

    private final Random random;
    private final int index;
    private final String id;
    private final List<ObjectNode> events = new ArrayList<>();
    private int words;

    private RandomItem(Random random, int index) {
        this.random = random;
        this.index = index;
        this.id = "item_" + index;
    }

    /// What was told and what it comes to; the last event of `events` is the item's done event.
    record Told(List<ObjectNode> events, ObjectNode done) {}

    static Told of(String kind, Random random, int index) {
        return new RandomItem(random, index).tell(kind);
    }

    private Told tell(String kind) {
        var done = json(shape(kind)).put("type", kind).put("id", id);
        var added = done.deepCopy();
        if (added.has("status")) {
            added.put("status", "in_progress");
        }
        events.add(item("added", index, added));
        switch (kind) {
            case "message" -> message(done);
            case "reasoning" -> reasoning(done);
            case "function_call" -> done.put("arguments", text("function_call_arguments", "arguments", "f"));
            case "custom_tool_call" -> done.put("input", text("custom_tool_call_input", "input", ""));
            case "mcp_call" -> {
                progress("mcp_call.in_progress");
                done.put("arguments", text("mcp_call_arguments", "arguments", ""));
                progress("mcp_call.completed");
            }
            case "mcp_list_tools" -> progress("mcp_list_tools.in_progress", "mcp_list_tools.failed");
            case "code_interpreter_call" -> {
                progress(kind + ".in_progress");
                done.put("code", text("code_interpreter_call_code", "code", ""));
                progress(kind + ".interpreting", kind + ".completed");
            }
            case "image_generation_call" -> images(kind);
            case "shell_call" -> commands(done);
            case "shell_call_output" -> outputs(done);
            case "compaction" -> progress("compaction.compacting");
            default -> progress(kind + ".in_progress", kind + ".searching", kind + ".completed");
        }
        events.add(item("done", index, done));
        return new Told(events, done);
    }

    /// The members of an item that its events do not tell.
    private static String shape(String kind) {
        return switch (kind) {
            case "message" -> "{'role':'assistant','status':'completed','content':[]}";
            case "reasoning" -> "{'summary':[],'status':'completed'}";
            case "function_call" -> "{'call_id':'c','name':'f','arguments':'','status':'completed'}";
            case "custom_tool_call" -> "{'call_id':'c','name':'f','input':''}";
            case "mcp_call" -> "{'server_label':'s','name':'f','arguments':''}";
            case "mcp_list_tools" -> "{'server_label':'s','tools':[]}";
            case "web_search_call" -> "{'status':'completed','action':{'type':'search','query':'q','queries':['q']}}";
            case "file_search_call" -> "{'status':'completed','queries':['q']}";
            case "code_interpreter_call" -> "{'status':'completed','container_id':'c','code':null,'outputs':null}";
            case "image_generation_call" -> "{'status':'completed','result':null}";
            case "compaction" -> "{'encrypted_content':'x'}";
            case "shell_call" ->
                "{'status':'completed','call_id':'c','environment':null,"
                        + "'action':{'commands':[],'timeout_ms':null,'max_output_length':null}}";
            case "shell_call_output" -> "{'status':'completed','call_id':'c','max_output_length':null,'output':[]}";
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private void message(ObjectNode done) {
        for (int i = 0; i <= random.nextInt(2); i++) {
            boolean refuses = random.nextInt(4) == 0;
            var part = refuses
                    ? json("{'type':'refusal','refusal':''}")
                    : json("{'type':'output_text','text':'','annotations':[],'logprobs':[]}");
            within("content_part.added").put("content_index", i).set("part", part.deepCopy());
            var name = refuses ? "refusal" : "output_text";
            var member = refuses ? "refusal" : "text";
            var whole = new StringBuilder();
            for (int n = 0; n <= random.nextInt(4); n++) {
                delta(name, i, whole);
                if (!refuses && random.nextInt(3) == 0) {
                    var annotation = json("{'type':'url_citation','url':'u','title':'t','start_index':0}")
                            .put("end_index", whole.length());
                    within("output_text.annotation.added")
                            .put("content_index", i)
                            .put("annotation_index", part.path("annotations").size())
                            .set("annotation", annotation);
                    part.withArray("/annotations").add(annotation.deepCopy());
                }
            }
            logprobs(within(name + ".done").put("content_index", i).put(member, whole.toString()), name);
            part.put(member, whole.toString());
            within("content_part.done").put("content_index", i).set("part", part.deepCopy());
            done.withArray("/content").add(part);
        }
    }

    private void delta(String name, int part, StringBuilder whole) {
        var word = word();
        whole.append(word);
        logprobs(within(name + ".delta").put("content_index", part).put("delta", word), name);
    }

    private static void logprobs(ObjectNode event, String name) {
        if (name.equals("output_text")) {
            event.putArray("logprobs");
        }
    }

    private void reasoning(ObjectNode done) {
        for (int i = 0; i < random.nextInt(3); i++) {
            var part = json("{'type':'reasoning_text','text':''}");
            within("content_part.added").put("content_index", i).set("part", part.deepCopy());
            var whole = new StringBuilder();
            for (int n = 0; n <= random.nextInt(3); n++) {
                delta("reasoning_text", i, whole);
            }
            within("reasoning_text.done").put("content_index", i).put("text", whole.toString());
            part.put("text", whole.toString());
            within("content_part.done").put("content_index", i).set("part", part.deepCopy());
            done.withArray("/content").add(part);
        }
        for (int i = 0; i < random.nextInt(3); i++) {
            var part = json("{'type':'summary_text','text':''}");
            within("reasoning_summary_part.added").put("summary_index", i).set("part", part.deepCopy());
            var word = word();
            within("reasoning_summary_text.delta").put("summary_index", i).put("delta", word);
            within("reasoning_summary_text.done").put("summary_index", i).put("text", word);
            part.put("text", word);
            within("reasoning_summary_part.done").put("summary_index", i).set("part", part.deepCopy());
            done.withArray("/summary").add(part);
        }
        if (random.nextBoolean()) {
            done.put("encrypted_content", "c2VhbGVk");
        }
    }

    /// @param function its name, empty where the event has none
    private String text(String name, String member, String function) {
        var whole = new StringBuilder();
        for (int n = 0; n <= random.nextInt(3); n++) {
            var word = word();
            whole.append(word);
            within(name + ".delta").put("delta", word);
        }
        var event = within(name + ".done").put(member, whole.toString());
        if (!function.isEmpty()) {
            event.put("name", function);
        }
        return whole.toString();
    }

    private void images(String kind) {
        progress(kind + ".in_progress", kind + ".generating");
        for (int i = 0; i < random.nextInt(3); i++) {
            within(kind + ".partial_image").put("partial_image_index", i).put("partial_image_b64", "YQ==");
        }
        progress(kind + ".completed");
    }

    private void commands(ObjectNode done) {
        for (int i = 0; i <= random.nextInt(2); i++) {
            var whole = new StringBuilder();
            command("added", i).put("command", "");
            for (int n = 0; n <= random.nextInt(2); n++) {
                var word = word();
                whole.append(word);
                command("delta", i).put("delta", word);
            }
            command("done", i).put("command", whole.toString());
            done.withArray("/action/commands").add(whole.toString());
        }
    }

    private ObjectNode command(String event, int number) {
        var node = within("shell_call_command." + event).put("command_index", number);
        node.remove("item_id");
        return node;
    }

    private void outputs(ObjectNode done) {
        for (int i = 0; i <= random.nextInt(2); i++) {
            var word = word();
            within("shell_call_output_content.delta")
                    .put("command_index", i)
                    .putObject("delta")
                    .put("stdout", word);
            var output = json("{'stderr':'','outcome':{'type':'exit','exit_code':0}}")
                    .put("stdout", word);
            within("shell_call_output_content.done")
                    .put("command_index", i)
                    .putArray("output")
                    .add(output);
            done.withArray("/output").add(output.deepCopy());
        }
    }

    private void progress(String... types) {
        for (var type : types) {
            within(type);
        }
    }

    private ObjectNode within(String type) {
        var event = json("{'type':'response." + type + "','sequence_number':0}")
                .put("item_id", id)
                .put("output_index", index);
        events.add(event);
        return event;
    }

    /// No two are the same, so that no two pieces can change places unnoticed.
    private String word() {
        return "w" + words++ + " ";
    }
}
