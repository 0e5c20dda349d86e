package dev.counterpoint.bus.job;

import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.wire.Numbered;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The task of a model; sealed to workers inside frame 0.
///
/// @param prompt the conversation, oldest first
/// @param tools the functions the model may call
/// @param choice which of them it must or may call
/// @param effort `low`, `medium` or `high`
/// @param date today's date for the model, such as `2026-11-21`
/// @param format the form of the answer, or null for free text
/// @param sampling the rules for choosing tokens
/// @param maxOutputTokens limit of the whole output, reasoning included; 0 for as many as the context holds
/// @param reasoning the terms of the reasoning: its owner, its conversation, its length
/// @param leeway the way to deal with too many calls and with a prompt that is too long
/// @param options what the caller said to models that take messages
public record GenerationJob(
        List<PromptItem> prompt,
        List<FunctionTool> tools,
        ToolChoice choice,
        String effort,
        String date,
        @Nullable ResponseFormat format,
        Sampling sampling,
        int maxOutputTokens,
        ReasoningTerms reasoning,
        Leeway leeway,
        ModelOptions options) {
    public GenerationJob {
        prompt = List.copyOf(prompt);
        tools = List.copyOf(tools);
    }

    /// With [Leeway#USUAL] and [ModelOptions#NONE].
    public GenerationJob(
            List<PromptItem> prompt,
            List<FunctionTool> tools,
            ToolChoice choice,
            String effort,
            String date,
            @Nullable ResponseFormat format,
            Sampling sampling,
            int maxOutputTokens,
            ReasoningTerms reasoning) {
        this(
                prompt,
                tools,
                choice,
                effort,
                date,
                format,
                sampling,
                maxOutputTokens,
                reasoning,
                Leeway.USUAL,
                ModelOptions.NONE);
    }

    /// The way to deal with too many calls and with a prompt that is too long.
    ///
    /// @param oneCall true when the answer ends with its first call, even if the model would make more
    /// @param forgets true when a prompt that does not fit loses its oldest turns instead of being refused
    public record Leeway(boolean oneCall, boolean forgets) {
        public static final Leeway USUAL = new Leeway(false, false);
    }

    /// A function the model may call.
    ///
    /// @param parameters JSON schema as text, or null when it takes none
    /// @param input the grammar of the plain text that it takes in the place of arguments; null for
    ///     arguments
    /// @param async whether the model continues without the result of a call
    public record FunctionTool(
            String name,
            String description,
            @Nullable String parameters,
            boolean strict,
            @Nullable InputGrammar input,
            boolean async) {
        /// A function of arguments.
        public FunctionTool(String name, String description, @Nullable String parameters, boolean strict) {
            this(name, description, parameters, strict, null, false);
        }

        public FunctionTool with(String otherDescription, boolean asyncOrNot) {
            return new FunctionTool(name, otherDescription, parameters, strict, input, asyncOrNot);
        }

        /// True if what a call says must fit: arguments their schema, plain text its grammar.
        public boolean mustFit() {
            return strict || input != null;
        }

        @Override
        public String toString() {
            return "FunctionTool[strict=%s]".formatted(strict);
        }
    }

    /// The grammar of a tool's input; always enforced.
    ///
    /// @param definition in that syntax, as the client sent it
    public record InputGrammar(Syntax syntax, String definition) {
        /// Positions are on the wire and never change.
        public enum Syntax implements Numbered {
            LARK,
            REGEX
        }

        public String told() {
            var language = switch (syntax) {
                case LARK -> "this Lark grammar";
                case REGEX -> "this regular expression";
            };
            return "It follows " + language + ":\n" + definition;
        }

        @Override
        public String toString() {
            return "InputGrammar[%s, %d characters]".formatted(syntax, definition.length());
        }
    }

    /// @param mode says whether the model may or must call a function
    /// @param name the one function it must call, with [Mode#FUNCTION]
    public record ToolChoice(Mode mode, @Nullable String name) {
        public static final ToolChoice AUTO = new ToolChoice(Mode.AUTO, null);

        /// Positions are on the wire and never change.
        public enum Mode implements Numbered {
            AUTO,
            NONE,
            REQUIRED,
            FUNCTION
        }

        /// True if the model must call a function.
        public boolean forcesCall() {
            return mode == Mode.REQUIRED || mode == Mode.FUNCTION;
        }
    }

    /// The terms of a response's reasoning; see [dev.counterpoint.bus.seal.SealedReasoning] for what the
    /// bonds mean.
    ///
    /// @param context the owner of the reasoning: tenant, project and model
    /// @param heldConversation id of the conversation that the server holds and the request goes on with:
    ///     sealed reasoning in the prompt must be of this one; empty when there is none
    /// @param conversation id of the conversation that new reasoning is bound to; empty for none
    /// @param tokensMax the bound of the analysis in tokens; 0 for no analysis at all, null for no bound
    /// @param bond the request that new reasoning is bound to
    public record ReasoningTerms(
            String context,
            String heldConversation,
            String conversation,
            @Nullable Integer tokensMax,
            ReasoningBond bond) {
        public ReasoningTerms {
            if (tokensMax != null && tokensMax < 0) {
                throw new IllegalArgumentException("tokensMax is less than 0");
            }
        }

        /// In no conversation of the server's, and unbounded.
        public static ReasoningTerms of(String context) {
            return new ReasoningTerms(context, "", "", null, ReasoningBond.NONE);
        }

        /// The same with a bound.
        ///
        /// @param bound see [#tokensMax]
        public ReasoningTerms withTokensMax(@Nullable Integer bound) {
            return new ReasoningTerms(context, heldConversation, conversation, bound, bond);
        }

        /// The same as part of a conversation that the server holds.
        ///
        /// @param held the one that goes on, or empty
        /// @param current the one that new reasoning belongs to, or empty
        public ReasoningTerms in(String held, String current) {
            return new ReasoningTerms(context, held, current, tokensMax, bond);
        }

        /// The header of new reasoning.
        ///
        /// @param item its id
        public SealedReasoning.Header header(long expiresAtMillis, int tokens, String item) {
            var model = SealedReasoning.model(context);
            return new SealedReasoning.Header(expiresAtMillis, tokens, conversation, model, item, bond);
        }

        /// The same with a bond.
        public ReasoningTerms bound(ReasoningBond other) {
            return new ReasoningTerms(context, heldConversation, conversation, tokensMax, other);
        }
    }

    public GenerationJob with(ToolChoice other) {
        return new GenerationJob(
                prompt, tools, other, effort, date, format, sampling, maxOutputTokens, reasoning, leeway, options);
    }

    public GenerationJob with(ReasoningTerms terms) {
        return new GenerationJob(
                prompt, tools, choice, effort, date, format, sampling, maxOutputTokens, terms, leeway, options);
    }

    /// This job with tokens chosen otherwise.
    public GenerationJob with(Sampling other) {
        return new GenerationJob(
                prompt, tools, choice, effort, date, format, other, maxOutputTokens, reasoning, leeway, options);
    }

    public GenerationJob with(Leeway other) {
        return new GenerationJob(
                prompt, tools, choice, effort, date, format, sampling, maxOutputTokens, reasoning, other, options);
    }

    public GenerationJob with(ModelOptions other) {
        return new GenerationJob(
                prompt, tools, choice, effort, date, format, sampling, maxOutputTokens, reasoning, leeway, other);
    }

    /// This job with another conversation.
    public GenerationJob with(List<PromptItem> other) {
        return new GenerationJob(
                other, tools, choice, effort, date, format, sampling, maxOutputTokens, reasoning, leeway, options);
    }

    /// @param schema JSON schema as text; null for any JSON object
    public record ResponseFormat(
            String name,
            @Nullable String description,
            @Nullable String schema,
            boolean strict) {
        /// True if an answer must fit: a strict schema, or JSON mode.
        public boolean mustFit() {
            return strict || schema == null;
        }

        @Override
        public String toString() {
            return "ResponseFormat[strict=%s]".formatted(strict);
        }
    }

    /// @param temperature null where the request names none: 1, or what a server of its own holds for right
    /// @param topP null as `temperature`
    /// @param seed null for a random one
    /// @param topLogprobs the number of likeliest tokens to report with each, or null for no probabilities
    /// @param stop texts that end the answer
    /// @param logitBias added to the logits of these token ids
    public record Sampling(
            @Nullable Double temperature,
            @Nullable Double topP,
            double presencePenalty,
            double frequencyPenalty,
            @Nullable Long seed,
            @Nullable Integer topLogprobs,
            List<String> stop,
            Map<Integer, Double> logitBias) {
        public static final Sampling DEFAULT = new Sampling(null, null, 0, 0, null, null, List.of(), Map.of());

        public Sampling {
            stop = List.copyOf(stop);
            logitBias = Map.copyOf(logitBias);
        }

        public Sampling withSeed(long other) {
            return new Sampling(
                    temperature, topP, presencePenalty, frequencyPenalty, other, topLogprobs, stop, logitBias);
        }

        @Override
        public String toString() {
            return "Sampling[stops=%d, biases=%d]".formatted(stop.size(), logitBias.size());
        }
    }

    /// Tells sizes only: prompts are never logged.
    @Override
    public String toString() {
        return "GenerationJob[items=%d, tools=%d]".formatted(prompt.size(), tools.size());
    }

    public byte[] encode() {
        return JobCodec.encode(this);
    }

    public static GenerationJob decode(byte[] bytes) {
        return JobCodec.decode(bytes);
    }
}
