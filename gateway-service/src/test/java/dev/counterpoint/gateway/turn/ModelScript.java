package dev.counterpoint.gateway.turn;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.openai.json.WireJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model says, written down as JSON for goldens: `{"message":0,"channel":"analysis","raw":true,"text":"…"}` says
/// more of a message, `{"hidden":0}` and `{"sealed":"…"}` are as their names say,
/// `{"summary":"…","opens":true,"tier":"DESCRIBED"}`, `{"summed":0}` and `{"abandoned":true}` are about the summary,
/// `{"finish":"STOP"}` or `{"stop":"EXPIRED"}` ends it.
public final class ModelScript {
    static final long ENDED_AT_MILLIS = 1_790_000_003_456L;
    public static final int INPUT_TOKENS = 20;
    public static final int CACHED_TOKENS = 8;
    public static final int OUTPUT_TOKENS = 12;
    public static final int REASONING_TOKENS = 5;

    private ModelScript() {}

    public static List<ModelOutput> read(JsonNode steps) {
        var outputs = new ArrayList<ModelOutput>();
        steps.forEach(step -> outputs.add(step(step)));
        return outputs;
    }

    public static List<ModelOutput> read(String json) {
        return read(WireJson.parse(json.getBytes(StandardCharsets.UTF_8)));
    }

    public static ModelOutput finish(End.Finish how) {
        return new ModelOutput.Finished(
                new End(how, INPUT_TOKENS, CACHED_TOKENS, OUTPUT_TOKENS, REASONING_TOKENS, ENDED_AT_MILLIS));
    }

    public static ModelOutput opens(int message, boolean raw, String channel, @Nullable String recipient) {
        var header = new Delta.Header(channel, recipient, null);
        return new ModelOutput.Passage(message, raw, new Delta(header, new int[] {1}, "", false, List.of()));
    }

    public static ModelOutput says(int message, boolean raw, String text) {
        return new ModelOutput.Passage(message, raw, new Delta(null, new int[] {2}, text, false, List.of()));
    }

    public static ModelOutput closes(int message, boolean raw) {
        return new ModelOutput.Passage(message, raw, new Delta(null, new int[] {3}, "", true, List.of()));
    }

    private static ModelOutput step(JsonNode step) {
        if (step.has("hidden")) {
            return new ModelOutput.Hidden(step.get("hidden").asInt());
        }
        if (step.has("sealed")) {
            return new ModelOutput.SealedReasoning(step.get("sealed").asText());
        }
        if (step.has("summary")) {
            return new ModelOutput.SummarySentence(
                    0,
                    step.path("opens").asBoolean(),
                    step.get("summary").asText(),
                    SummaryTier.valueOf(step.path("tier").asText("UNNAMED")));
        }
        if (step.has("summed")) {
            return new ModelOutput.SummaryEnded(step.get("summed").asInt(), false);
        }
        if (step.has("abandoned")) {
            return new ModelOutput.SummaryAbandoned();
        }
        if (step.has("finish")) {
            return finish(End.Finish.valueOf(step.get("finish").asText()));
        }
        if (step.has("stop")) {
            return new ModelOutput.Stopped(
                    OwnerEnd.Reason.valueOf(step.get("stop").asText()));
        }
        return new ModelOutput.Passage(
                step.get("message").asInt(), step.path("raw").asBoolean(), delta(step));
    }

    private static Delta delta(JsonNode step) {
        var header = step.has("channel")
                ? new Delta.Header(step.get("channel").asText(), text(step, "to"), text(step, "type"))
                : null;
        var logprobs = new ArrayList<Delta.TokenLogprob>();
        step.path("logprobs")
                .forEach(token -> logprobs.add(new Delta.TokenLogprob(
                        token.asText(), token.asText().getBytes(StandardCharsets.UTF_8), -0.5, List.of())));
        return new Delta(
                header,
                new int[] {7},
                step.path("text").asText(),
                step.path("closed").asBoolean(),
                logprobs);
    }

    private static @Nullable String text(JsonNode step, String member) {
        return step.has(member) ? step.get(member).asText() : null;
    }
}
