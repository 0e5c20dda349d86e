package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.counterpoint.openai.PromptCacheOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The request as the response repeats it, defaults filled in: the same in every snapshot of one response.
///
/// What is null though the contract has a default for it came from a server that left it out: [#of] fills in all.
public record ResponseEcho(
        String model,
        @JsonInclude(ALWAYS) @Nullable Input instructions,
        @JsonInclude(ALWAYS) @Nullable String previousResponseId,
        ConversationParam.@Nullable Reference conversation,
        @Nullable PromptTemplate prompt,
        List<Tool> tools,
        ToolChoice toolChoice,
        boolean parallelToolCalls,
        @Nullable TextOptions text,
        @JsonInclude(ALWAYS) @Nullable ReasoningOptions reasoning,
        @JsonInclude(ALWAYS) @Nullable Double temperature,
        @JsonInclude(ALWAYS) @Nullable Double topP,
        @Nullable Integer topLogprobs,
        @Nullable Double presencePenalty,
        @Nullable Double frequencyPenalty,
        @JsonInclude(ALWAYS) @Nullable Integer maxOutputTokens,
        @JsonInclude(ALWAYS) @Nullable Integer maxToolCalls,
        @Nullable String truncation,
        @Nullable Boolean store,
        @Nullable Boolean background,
        @Nullable String serviceTier,
        @JsonInclude(ALWAYS) @Nullable Map<String, String> metadata,
        @JsonInclude(ALWAYS) @Nullable String safetyIdentifier,
        @JsonInclude(ALWAYS) @Nullable String promptCacheKey,
        @Nullable String promptCacheRetention,
        @Nullable PromptCacheOptions promptCacheOptions,
        @JsonInclude(ALWAYS) @Nullable AccessPrograms accessPrograms,
        @Nullable String user) {
    public ResponseEcho {
        tools = List.copyOf(tools);
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /// The settings that `request` asks of `model`, with the contract's defaults for omitted ones. The request does
    /// not determine how the prompt was cached and which programs served it.
    public static ResponseEcho of(CreateResponse request, String model) {
        var text = request.text();
        var conversation = request.conversation();
        return new ResponseEcho(
                model,
                request.instructions() == null ? null : new Input.Text(request.instructions()),
                request.previousResponseId(),
                conversation == null ? null : new ConversationParam.Reference(conversation.id()),
                request.prompt(),
                Objects.requireNonNullElse(request.tools(), List.of()),
                Objects.requireNonNullElse(request.toolChoice(), ToolChoice.Mode.AUTO),
                Objects.requireNonNullElse(request.parallelToolCalls(), true),
                new TextOptions(
                        Objects.requireNonNullElseGet(request.format(), TextFormat.Text::new),
                        text == null ? null : text.verbosity()),
                request.reasoning() == null ? null : request.reasoning().options(),
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
                null,
                null,
                request.user());
    }

    /// Whether the response can be had again; the contract's default is yes.
    public boolean stored() {
        return !Boolean.FALSE.equals(store);
    }

    /// Whether the response goes on without a reader.
    public boolean inBackground() {
        return Boolean.TRUE.equals(background);
    }

    /// The tier that serves a request, where the choice is not ours alone.
    private static String servedTier(@Nullable String asked) {
        return asked == null || asked.equals("auto") ? "default" : asked;
    }
}
