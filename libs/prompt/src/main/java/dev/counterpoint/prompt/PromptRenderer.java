package dev.counterpoint.prompt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.model.ResponseFormatSection;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.parse.SampledMessages;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes a job as the tokens that the model continues. Thread-safe.
public final class PromptRenderer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ANY_OBJECT = "{\"type\":\"object\"}";

    private static final int[] NOTHING = {};
    /// Tokens of `<|start|>assistant`.
    private static final int BEGINNING = 2;

    private static final HarmonyRenderer RENDERER =
            new HarmonyRenderer(HarmonyTokenizer.shared(), RenderOptions.production());

    private final KeyRing keys;

    public PromptRenderer(KeyRing keys) {
        this.keys = keys;
    }

    /// The prompt, ending in `<|start|>assistant`.
    ///
    /// @param nowMillis milliseconds since 1970: sealed reasoning that has expired by then is refused
    /// @throws dev.counterpoint.bus.seal.SealException when sealed reasoning does not open here
    /// @throws IllegalArgumentException when a tool's schema or the format's is no JSON
    public int[] render(GenerationJob job, long nowMillis) {
        var turn = turn(job);
        return render(job, blob -> SealedReasoning.open(blob, turn, nowMillis, keys));
    }

    private static int[] render(GenerationJob job, Function<String, int[]> opened) {
        var names = DeclaredFunctions.of(job);
        var messages = new ArrayList<Message>();
        messages.add(Message.system(SystemContent.defaults()
                .withReasoningEffort(effort(job.effort()))
                .withConversationStartDate(job.date().isEmpty() ? null : job.date())));
        int body = leadingInstructions(job.prompt());
        developer(job, names, job.prompt().subList(0, body)).ifPresent(messages::add);
        var history = new PromptHistory(names, opened);
        messages.addAll(history.messages(job.prompt().subList(body, job.prompt().size())));
        return RENDERER.renderForCompletion(
                new Conversation(messages), Role.ASSISTANT, job.reasoning().context());
    }

    /// Results as they stand behind a call that the model has just made, and the beginning of its next message.
    public static int[] results(List<PromptItem.CallOutput> results, FunctionNames names) {
        var messages = results.stream()
                .map(result -> Message.toolResult(names.recipient(result.name()), result.output()))
                .toList();
        return RENDERER.renderForCompletion(new Conversation(messages), Role.ASSISTANT);
    }

    /// Counts the tokens that [#render] gives, for a service that cannot open sealed reasoning: its header says how
    /// many tokens it adds. The count is a few tokens off where the client put another call in the place of the one
    /// after the reasoning.
    ///
    /// @param nowMillis as there
    /// @throws dev.counterpoint.bus.seal.SealException when sealed reasoning does not verify
    /// @throws IllegalArgumentException as there
    public int count(GenerationJob job, long nowMillis) {
        var turn = turn(job);
        var sealed = new LongAdder();
        var rest = render(job, blob -> {
            sealed.add(SealedReasoning.check(blob, turn, nowMillis, keys).tokens());
            return NOTHING;
        });
        return rest.length + sealed.intValue();
    }

    /// The tokens that [#render] gives but for those of sealed reasoning, for a service that compares prompts.
    ///
    /// @throws IllegalArgumentException as there
    public int[] withoutReasoning(GenerationJob job) {
        return render(job, _ -> NOTHING);
    }

    /// Counts the tokens that a part of a turn adds to a prompt when it comes back as sealed reasoning: its analysis,
    /// and the tokens that the call after it takes beyond the usual spelling.
    ///
    /// @param sampled the model's own tokens
    /// @param names of the functions that the model could call
    public static int tokens(int[] sampled, FunctionNames names) {
        int tokens = 0;
        for (var message : SampledMessages.of(sampled)) {
            var recipient = message.recipient();
            if (recipient == null && Channels.ANALYSIS.equals(message.channel())) {
                tokens += length(message);
            }
            var name = recipient == null ? null : names.resolve(recipient);
            if (name != null) {
                tokens += length(message.withText("")) - length(PromptHistory.usualCall(names, name, ""));
            }
        }
        return tokens;
    }

    /// The tokens of one message, without those that every prompt has.
    private static int length(Message message) {
        return RENDERER.render(new Conversation(List.of(message))).length;
    }

    private static SealedReasoning.Turn turn(GenerationJob job) {
        return new SealedReasoning.Turn(
                job.reasoning().context(), job.reasoning().heldConversation());
    }

    /// The job with its sealed reasoning in clear, for engines that take messages.
    ///
    /// @param nowMillis as for [#render]
    /// @throws dev.counterpoint.bus.seal.SealException when sealed reasoning does not open here
    public GenerationJob open(GenerationJob job, long nowMillis) {
        var turn = turn(job);
        var prompt = new ArrayList<PromptItem>();
        for (var item : job.prompt()) {
            if (item instanceof PromptItem.Sealed(String blob)) {
                prompt.addAll(PromptHistory.thoughts(SealedReasoning.open(blob, turn, nowMillis, keys)));
            } else {
                prompt.add(item);
            }
        }
        return job.with(prompt);
    }

    /// The reasoning that a job tells again, in the tokens that a model samples after the prompt's
    /// `<|start|>assistant`; null for a job that generates.
    ///
    /// @param nowMillis as for [#render]
    /// @throws dev.counterpoint.bus.seal.SealException when sealed reasoning does not open here
    public int @Nullable [] retold(GenerationJob job, long nowMillis) {
        var blobs = job.prompt().stream()
                .filter(PromptItem.Retold.class::isInstance)
                .map(item -> ((PromptItem.Retold) item).blob())
                .toList();
        if (blobs.isEmpty()) {
            return null;
        }
        var turn = turn(job);
        var thoughts = blobs.stream()
                .flatMap(blob -> PromptHistory.thoughts(SealedReasoning.open(blob, turn, nowMillis, keys)).stream())
                .map(thought -> Message.assistant(Channels.ANALYSIS, thought.text()))
                .toList();
        int[] written = RENDERER.render(new Conversation(thoughts));
        return Arrays.copyOfRange(written, Math.min(BEGINNING, written.length), written.length);
    }

    private static int leadingInstructions(List<PromptItem> prompt) {
        int count = 0;
        while (count < prompt.size() && prompt.get(count) instanceof PromptItem.Instructions) {
            count++;
        }
        return count;
    }

    private static ReasoningEffort effort(String effort) {
        return switch (effort) {
            case "low" -> ReasoningEffort.LOW;
            case "high" -> ReasoningEffort.HIGH;
            default -> ReasoningEffort.MEDIUM;
        };
    }

    /// Instructions, functions and the wanted format stand together in one developer message, as the model learned
    /// it.
    private static Optional<Message> developer(GenerationJob job, FunctionNames names, List<PromptItem> instructions) {
        var texts = new ArrayList<String>();
        for (var item : instructions) {
            if (item instanceof PromptItem.Instructions(String text)) {
                texts.add(text);
            }
        }
        boolean offersTools = job.choice().mode() != GenerationJob.ToolChoice.Mode.NONE;
        var tools = offersTools
                ? job.tools().stream().map(tool -> tool(tool, names)).toList()
                : List.<ToolDescription>of();
        var formats = job.format() == null ? List.<ResponseFormatSection>of() : List.of(format(job.format()));
        if (texts.isEmpty() && tools.isEmpty() && formats.isEmpty()) {
            return Optional.empty();
        }
        var text = texts.isEmpty() ? null : String.join("\n\n", texts);
        var namespaces = tools.isEmpty() ? List.<ToolNamespace>of() : List.of(ToolNamespace.functions(tools));
        return Optional.of(Message.developer(new DeveloperContent(text, namespaces, formats)));
    }

    private static ResponseFormatSection format(GenerationJob.ResponseFormat format) {
        var schema = format.schema() == null ? ANY_OBJECT : format.schema();
        return new ResponseFormatSection(format.name(), format.description(), schema);
    }

    private static ToolDescription tool(GenerationJob.FunctionTool tool, FunctionNames names) {
        var input = tool.input();
        var description = input == null ? tool.description() : told(tool.description(), input);
        return new ToolDescription(names.alias(tool.name()), description, schema(tool.parameters()));
    }

    /// A mask keeps the model to the grammar, but only a model that knows the grammar can express its intention in
    /// it.
    private static String told(String description, GenerationJob.InputGrammar input) {
        var before = description.isEmpty() ? "" : description + "\n";
        return before + "The input is plain text, not JSON. " + input.told();
    }

    private static @Nullable JsonNode schema(@Nullable String text) {
        try {
            return text == null ? null : ToolSchema.writable(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a schema is no JSON");
        }
    }
}
