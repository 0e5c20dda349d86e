package dev.counterpoint.worker.draft;

import dev.counterpoint.bus.draft.DraftTask;

/// Tasks whose answer by the simulated engine is known: it says the object that it is asked to say, where the
/// form takes that.
public final class DraftTasks {
    public static final String SCHEMA = """
            {"type":"object","properties":{"title":{"type":"string"},"sure":{"type":"boolean"}},\
            "required":["title","sure"],"additionalProperties":false}""";
    public static final String ANSWER = "{\"title\": \"Comparing two loaves\", \"sure\": true}";
    public static final DraftTask WRITING = of("say: " + ANSWER, SCHEMA, 80);
    /// A judgement of yes or no is a task like any other.
    public static final DraftTask JUDGING = of("say: \"1\"", "{\"enum\":[\"0\",\"1\"]}", 8);

    private DraftTasks() {}

    public static DraftTask of(String input, String schema, int tokensMax) {
        return new DraftTask("Write a title.", input, schema, tokensMax);
    }
}
