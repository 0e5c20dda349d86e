package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.LinkedHashMap;
import java.util.List;

/// Asks a policy model whether a part may be shown, in the form of gpt-oss-safeguard: the policy as
/// instructions, and as content the confidential texts and the part, as JSON. The answer is one of two words.
/// Immutable.
final class PolicyQuestion {
    /// Characters of confidential texts that a policy model reads with each part. Where there are more, nothing
    /// is written.
    static final int CONFIDENTIAL_MAX = 60_000;

    private static final String SCHEMA = "{\"type\":\"string\",\"enum\":[\"0\",\"1\"]}";
    private static final String ALLOWED = "0";
    private static final int TOKENS_MAX = 8;

    private final String policy;
    private final List<String> confidential;

    PolicyQuestion(String policy, List<String> confidential) {
        this.policy = policy;
        this.confidential = List.copyOf(confidential);
    }

    boolean canBeAsked() {
        return confidential.stream().mapToLong(String::length).sum() <= CONFIDENTIAL_MAX;
    }

    /// The confidential texts first: an engine that keeps the beginnings of prompts reads them once.
    DraftTask about(SummaryPart part) {
        var content = new LinkedHashMap<String, Object>();
        content.put("confidential", confidential);
        content.put("part", List.of(part.title(), part.sentence()));
        return new DraftTask(policy, PartWriter.json(content), SCHEMA, TOKENS_MAX);
    }

    /// True for the clear word for allowed, and nothing else.
    static boolean allows(String answer) {
        var word = PartWriter.answer(answer);
        return word != null && word.isTextual() && word.asText().equals(ALLOWED);
    }
}
