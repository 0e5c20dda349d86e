package dev.counterpoint.local;

import java.util.Locale;
import java.util.Map;

/// Who tells what a model is doing in a run of the whole suite: the system property `summaries`.
public enum SummaryWriter {
    /// Cues choose, templates tell.
    DESCRIBED(Map.of()),
    /// A model chooses, templates tell.
    DECIDED(Map.of("WORKER_DRAFTS_AT_ONCE", "1")),
    /// A model writes and a model judges; its tenant has opted in.
    WRITTEN(Map.of(
            "WORKER_DRAFTS_AT_ONCE", "1",
            "SUMMARIZER_WRITTEN_ALLOWED", "true",
            "SUMMARIZER_WRITTEN_POLICY_MODEL", "counterpoint-simulated",
            "GATEWAY_WRITTEN_SUMMARIES", "true"));

    private final Map<String, String> variables;

    SummaryWriter(Map<String, String> variables) {
        this.variables = variables;
    }

    /// The one that is asked for; [#DESCRIBED] where none is.
    public static SummaryWriter wanted() {
        return valueOf(System.getProperty("summaries", DESCRIBED.name()).toUpperCase(Locale.ROOT));
    }

    /// For the environment of every service.
    public Map<String, String> variables() {
        return variables;
    }
}
