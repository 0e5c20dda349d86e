package dev.counterpoint.gateway.turn;

import java.util.List;
import java.util.Map;

/// The requests that bring reasoning back after a change.
final class BlobMatrix {
    /// The order in which words are replaced, because some stand for others.
    private static final List<String> WORDS = List.of(
            "OPTIONS",
            "CHANGED",
            "ANOTHER_TOOL",
            "FIRST",
            "SECOND",
            "ADDED",
            "NEXT",
            "TURN",
            "LATER",
            "HERE",
            "REASONING");

    private BlobMatrix() {}

    /// A change, and the reason that the response names for not showing the reasoning; empty where the model sees it.
    enum Change {
        NOTHING("", Map.of()),
        SETTINGS("", Map.of("OPTIONS", "CHANGED")),
        INSTRUCTION("prefix_mismatch", Map.of("Be brief", "Be rude")),
        QUESTION("prefix_mismatch", Map.of("2+2?", "2+3?")),
        OTHER_TOOL("prefix_mismatch", Map.of("Adds", "Deletes")),
        REMOVED_TOOL("prefix_mismatch", Map.of("SECOND", "")),
        ADDED_TOOL("", Map.of("ADDED", "ANOTHER_TOOL")),
        USER("end_user_mismatch", Map.of("anna", "ben")),
        ITEM("prefix_mismatch", Map.of("ITEM", "rs_other")),
        NO_ITEM("", Map.of("'id':'ITEM',", "")),
        MODEL("model_mismatch", Map.of(FakeModels.MODEL, FakeModels.WITH_LOGPROBS)),
        MODEL_AND_USER("end_user_mismatch", Map.of(FakeModels.MODEL, FakeModels.WITH_LOGPROBS, "anna", "ben")),
        NEXT_TURN("turn_boundary", Map.of("NEXT", "TURN")),
        MOVED("prefix_mismatch", Map.of("HERE", "", "NEXT", "TURN LATER"));

        final String reason;
        private final Map<String, String> replaced;

        Change(String reason, Map<String, String> replaced) {
            this.reason = reason;
            this.replaced = replaced;
        }
    }

    enum Api {
        RESPONSES(
                "/v1/responses",
                """
                {"model":"gpt-oss-20b","instructions":"Be brief","safety_identifier":"anna" OPTIONS,
                 "tools":[FIRST SECOND ADDED],"input":[{"role":"user","content":"2+2?"}%s]}""",
                """
                 HERE,{"type":"function_call","call_id":"c1","name":"add","arguments":"{}"},
                 {"type":"function_call_output","call_id":"c1","output":"4"} NEXT""",
                Map.of(
                        "CHANGED",
                                ",'text':{'verbosity':'low','format':{'type':'json_schema','name':'n',"
                                        + "'schema':{}}},'reasoning':{'effort':'high'},'tool_choice':'none',"
                                        + "'truncation':'auto'",
                        "FIRST", "{'type':'function','name':'add','description':'Adds'}",
                        "SECOND", ",{'type':'custom','name':'run'}",
                        "ANOTHER_TOOL", ",{'type':'function','name':'abs'}",
                        "HERE", ",REASONING",
                        "LATER", ",REASONING",
                        "TURN", ",{'role':'assistant','content':'4'},{'role':'user','content':'And?'}",
                        "REASONING", "{'type':'reasoning','id':'ITEM','summary':[],'encrypted_content':'BLOB'}")),
        CHAT(
                "/v1/chat/completions",
                """
                {"model":"gpt-oss-20b","safety_identifier":"anna" OPTIONS,"tools":[FIRST SECOND ADDED],
                 "messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"2+2?"}%s]}""",
                """
                 ,{"role":"assistant" HERE,"tool_calls":[{"id":"c1","type":"function","function":{"name":"add",
                  "arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"4"} NEXT""",
                Map.of(
                        "CHANGED", ",'verbosity':'low','reasoning_effort':'high','tool_choice':'none'",
                        "FIRST", "{'type':'function','function':{'name':'add','description':'Adds'}}",
                        "SECOND", ",{'type':'custom','custom':{'name':'run'}}",
                        "ANOTHER_TOOL", ",{'type':'function','function':{'name':'abs'}}",
                        "HERE", ",REASONING",
                        "LATER",
                                ",{'role':'assistant','tool_calls':[{'id':'c2','type':'function',"
                                        + "'function':{'name':'add','arguments':'{}'}}],REASONING},"
                                        + "{'role':'tool','tool_call_id':'c2','content':'5'}",
                        "TURN", ",{'role':'assistant','content':'4'},{'role':'user','content':'And?'}",
                        "REASONING", "'reasoning_details':[{'type':'reasoning.encrypted','data':'BLOB'}]"));

        final String path;
        private final String request;
        private final String rest;
        private final Map<String, String> words;

        Api(String path, String request, String rest, Map<String, String> words) {
            this.path = path;
            this.request = request;
            this.rest = rest;
            this.words = words;
        }

        /// The request for which the model reasons.
        String first() {
            return filled(request.formatted(""), Change.NOTHING);
        }

        /// The next one.
        String next(Change change, String blob, String item) {
            return filled(request.formatted(rest), change).replace("ITEM", item).replace("BLOB", blob);
        }

        private String filled(String template, Change change) {
            var text = template;
            for (var each : change.replaced.entrySet()) {
                text = text.replace(each.getKey(), each.getValue());
            }
            for (var word : WORDS) {
                text = text.replace(word, words.getOrDefault(word, ""));
            }
            for (var each : change.replaced.entrySet()) {
                text = text.replace(each.getKey(), each.getValue());
            }
            return text.replace('\'', '"');
        }
    }
}
