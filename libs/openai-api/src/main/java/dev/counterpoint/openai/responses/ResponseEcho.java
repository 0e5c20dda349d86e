package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The request as the response repeats it, defaults filled in: the same in every snapshot of one response. Other
/// servers leave out what the contract does not require of them; ours never do.
public record ResponseEcho(
        String model,
        @JsonInclude(ALWAYS) @Nullable String instructions,
        @JsonInclude(ALWAYS) @Nullable String previousResponseId,
        ConversationParam.@Nullable Reference conversation,
        List<Tool> tools,
        ToolChoice toolChoice,
        boolean parallelToolCalls,
        @Nullable TextOptions text,
        @JsonInclude(ALWAYS) @Nullable ReasoningOptions reasoning,
        double temperature,
        double topP,
        @Nullable Integer topLogprobs,
        @Nullable Double presencePenalty,
        @Nullable Double frequencyPenalty,
        @JsonInclude(ALWAYS) @Nullable Integer maxOutputTokens,
        @JsonInclude(ALWAYS) @Nullable Integer maxToolCalls,
        @Nullable String truncation,
        boolean store,
        boolean background,
        @Nullable String serviceTier,
        Map<String, String> metadata,
        @JsonInclude(ALWAYS) @Nullable String safetyIdentifier,
        @JsonInclude(ALWAYS) @Nullable String promptCacheKey,
        @Nullable String promptCacheRetention,
        @Nullable String user) {
    public ResponseEcho {
        tools = List.copyOf(tools);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /// What `request` asks of `model`, with the contract's defaults for what it leaves open.
    public static ResponseEcho of(CreateResponse request, String model) {
        var text = request.text();
        var conversation = request.conversation();
        return new ResponseEcho(
                model,
                request.instructions(),
                request.previousResponseId(),
                conversation == null ? null : new ConversationParam.Reference(conversation.id()),
                Objects.requireNonNullElse(request.tools(), List.of()),
                Objects.requireNonNullElse(request.toolChoice(), ToolChoice.Mode.AUTO),
                Objects.requireNonNullElse(request.parallelToolCalls(), true),
                new TextOptions(
                        text == null || text.format() == null ? new TextFormat.Text() : text.format(),
                        text == null ? null : text.verbosity()),
                request.reasoning(),
                Objects.requireNonNullElse(request.temperature(), 1.0),
                Objects.requireNonNullElse(request.topP(), 1.0),
                Objects.requireNonNullElse(request.topLogprobs(), 0),
                0.0,
                0.0,
                request.maxOutputTokens(),
                request.maxToolCalls(),
                Objects.requireNonNullElse(request.truncation(), "disabled"),
                Objects.requireNonNullElse(request.store(), true),
                Objects.requireNonNullElse(request.background(), false),
                servedTier(request.serviceTier()),
                Objects.requireNonNullElse(request.metadata(), Map.of()),
                request.safetyIdentifier(),
                request.promptCacheKey(),
                request.promptCacheRetention(),
                request.user());
    }

    /// The tier that serves a request, where the choice is not ours alone.
    private static String servedTier(@Nullable String asked) {
        return asked == null || asked.equals("auto") ? "default" : asked;
    }
}
