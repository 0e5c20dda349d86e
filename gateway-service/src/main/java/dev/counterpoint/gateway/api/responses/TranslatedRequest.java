package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.gateway.reasoning.ReasoningGrant;
import dev.counterpoint.gateway.request.AnswerFormats;
import dev.counterpoint.gateway.request.BoundPrompt;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.PromptBuilder;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.request.SchemaRules;
import dev.counterpoint.gateway.request.ToolName;
import dev.counterpoint.gateway.request.Verbosity;
import dev.counterpoint.gateway.turn.ReasoningAvailability;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.TextFormat;
import dev.counterpoint.openai.responses.Tool;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request to the Responses API in the words of the suite.
///
/// @param plan what it takes to assemble the answer
/// @param job what the model is told
/// @param summary how detailed a summary of the reasoning is due, or null for none
/// @param input the caller's own items, references followed
/// @param said what the model is told of the conversation
record TranslatedRequest(
        ResponsePlan plan,
        GenerationJob job,
        SummaryJob.@Nullable Detail summary,
        List<InputItem> input,
        ConversationInput said) {
    /// Facts that a translation needs and the request does not say.
    ///
    /// @param grant what of the reasoning the caller gets
    /// @param binding what the model's reasoning is bound to
    /// @param date today's, for the model
    /// @param ownTemplate whether the model takes messages under a template of its own
    /// @param images where its images may come from
    /// @param padded whether deltas are padded when the request does not say
    record Facts(
            ReasoningGrant grant,
            BoundPrompt.Binding binding,
            String date,
            boolean ownTemplate,
            ImageSources images,
            boolean padded) {
        GenerationJob.ReasoningTerms reasoning() {
            return binding.terms();
        }

        /// The same on another day.
        Facts on(String day) {
            return new Facts(grant, binding, day, ownTemplate, images, padded);
        }
    }

    /// Translates a request that [ResponsesRules] let pass.
    ///
    /// @param input the caller's own items, references followed
    /// @throws WireException that names the member
    static TranslatedRequest of(CreateResponse request, List<InputItem> input, ConversationInput said, Facts facts) {
        var builder = builder(request, said, facts);
        var own = InputItems.addOwn(said.own(), new InputItems.Place(ResponseEventFormat.INPUT, said.from()), builder);
        var prompt = prompt(builder, facts);
        requireJsonWord(request, prompt.items());
        var echo = ResponsesJob.echo(request, Objects.requireNonNull(request.model()));
        var translated = new TranslatedRequest(
                new ResponsePlan(
                        ResponsePlan.KIND,
                        facts.grant.raw(),
                        facts.grant.summaryDue(),
                        echo,
                        said.compaction(),
                        padded(request, facts),
                        request.include() != null && request.include().contains(InputItems.ENCRYPTED),
                        builder.reasoningLost() ? List.of(ReasoningAvailability.ANALYSIS_LOST) : null,
                        prompt.removed().isEmpty() ? null : List.copyOf(prompt.removed()),
                        null),
                bound(ResponsesJob.of(request, prompt.items(), facts), prompt.bond()),
                facts.grant.summary(),
                Stream.concat(input.subList(0, said.from()).stream(), own.stream())
                        .toList(),
                new ConversationInput(said.prompt(), said.earlier(), own, said.from(), said.compaction()));
        for (var note : Stream.of(prompt.expiry(), SchemaRules.unresolved(translated.job))
                .flatMap(Optional::stream)
                .toList()) {
            translated = translated.noted(note);
        }
        return translated;
    }

    private static GenerationJob bound(GenerationJob job, ReasoningBond bond) {
        return job.with(job.reasoning().bound(bond));
    }

    /// The same with one more warning for the caller.
    TranslatedRequest noted(String note) {
        return with(plan.noted(note));
    }

    /// The same with another plan.
    TranslatedRequest with(ResponsePlan other) {
        return new TranslatedRequest(other, job, summary, input, said);
    }

    private static PromptBuilder builder(CreateResponse request, ConversationInput said, Facts facts) {
        var tools = Objects.requireNonNullElse(request.tools(), List.<Tool>of());
        var plain =
                ResponsesTools.withGrammar(tools).stream().map(ToolName::whole).collect(Collectors.toSet());
        var builder = new PromptBuilder(PromptBuilder.Api.RESPONSES, plain, facts.images);
        if (request.instructions() != null) {
            builder.instructions(request.instructions());
        }
        Verbosity.instruction(request.text() == null ? null : request.text().verbosity())
                .ifPresent(builder::wish);
        InputItems.addStored(said.prompt(), builder);
        builder.begin();
        InputItems.addStored(said.earlier(), builder);
        return builder;
    }

    private static BoundPrompt prompt(PromptBuilder builder, Facts facts) {
        var prompt = builder.build(facts.binding);
        if (prompt.items().isEmpty()) {
            throw RequestRules.missing("input");
        }
        return prompt;
    }

    /// What stands in `instructions` does not count: OpenAI wants the word in the input.
    private static void requireJsonWord(CreateResponse request, List<PromptItem> prompt) {
        int instructions = request.instructions() == null ? 0 : 1;
        if (request.format() instanceof TextFormat.JsonObject
                && !AnswerFormats.mentionsJson(prompt.subList(instructions, prompt.size()))) {
            throw new WireException(
                    "text.format",
                    null,
                    "Response input messages must contain the word 'json' in some form to use 'text.format' of type"
                            + " 'json_object'.");
        }
    }

    /// The same with a conversation that stands in one item.
    TranslatedRequest compacted(CreateResponse request, Compactions.Compacted made, Facts facts) {
        var shorter = new ConversationInput(said.prompt(), made.items(), List.of(), 0, made.blob());
        var prompt = prompt(builder(request, shorter, facts), facts);
        return new TranslatedRequest(
                plan.compacted(made.blob()),
                // The first item of the output is the compaction.
                bound(job.with(prompt.items()), prompt.bond().from(1)),
                summary,
                input,
                shorter);
    }

    private static boolean padded(CreateResponse request, Facts facts) {
        var asked =
                request.streamOptions() == null ? null : request.streamOptions().includeObfuscation();
        return Objects.requireNonNullElse(asked, facts.padded);
    }
}
