package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a model is asked to do; sealed to workers inside frame 0.
///
/// @param prompt the conversation, oldest first
/// @param tools the functions the model may call
/// @param choice which of them it must or may call
/// @param effort `low`, `medium` or `high`
/// @param date today's date for the model, such as `2026-11-21`
/// @param format how the answer must look, or null for free text
/// @param sampling how tokens are chosen
/// @param maxOutputTokens limit of the whole output, reasoning included; 0 for as many as the context holds
/// @param reasoning what reasoning is bound to, and how long it may be
/// @param leeway what is done when there is too much of something
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
        Leeway leeway) {
    public GenerationJob {
        prompt = List.copyOf(prompt);
        tools = List.copyOf(tools);
    }

    /// With [Leeway#USUAL].
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
        this(prompt, tools, choice, effort, date, format, sampling, maxOutputTokens, reasoning, Leeway.USUAL);
    }

    /// What is done when there is too much of something.
    ///
    /// @param oneCall whether the answer ends with its first call, however many the model would make
    /// @param forgets whether a prompt that does not fit loses its oldest turns, instead of being refused
    public record Leeway(boolean oneCall, boolean forgets) {
        public static final Leeway USUAL = new Leeway(false, false);
    }

    /// A function the model may call.
    ///
    /// @param parameters JSON schema as text, or null when it takes none
    public record FunctionTool(
            String name, String description, @Nullable String parameters, boolean strict) {
        @Override
        public String toString() {
            return "FunctionTool[strict=%s]".formatted(strict);
        }
    }

    /// @param mode what the model may do
    /// @param name the one function it must call, with [Mode#FUNCTION]
    public record ToolChoice(Mode mode, @Nullable String name) {
        public static final ToolChoice AUTO = new ToolChoice(Mode.AUTO, null);

        /// Numbers are on the wire: the position here.
        public enum Mode {
            AUTO,
            NONE,
            REQUIRED,
            FUNCTION
        }
    }

    /// The terms of a response's reasoning; see [dev.counterpoint.bus.seal.SealedReasoning] for what the bonds mean.
    ///
    /// @param context whose reasoning this is: tenant, project and model
    /// @param heldConversation id of the conversation that the server holds and the request goes on with: sealed
    ///     reasoning in the prompt must be of this one; empty when there is none
    /// @param conversation id of the conversation that new reasoning is bound to; empty for none
    /// @param tokensMax how many tokens the analysis may have; 0 for no analysis at all, null for no bound
    public record ReasoningTerms(
            String context,
            String heldConversation,
            String conversation,
            @Nullable Integer tokensMax) {
        public ReasoningTerms {
            if (tokensMax != null && tokensMax < 0) {
                throw new IllegalArgumentException("tokensMax is less than 0");
            }
        }

        /// In no conversation of the server's, and unbounded.
        public static ReasoningTerms of(String context) {
            return new ReasoningTerms(context, "", "", null);
        }

        /// The same with a bound.
        ///
        /// @param bound see [#tokensMax]
        public ReasoningTerms withTokensMax(@Nullable Integer bound) {
            return new ReasoningTerms(context, heldConversation, conversation, bound);
        }

        /// The same as part of a conversation that the server holds.
        ///
        /// @param held the one that goes on, or empty
        /// @param current the one that new reasoning belongs to, or empty
        public ReasoningTerms in(String held, String current) {
            return new ReasoningTerms(context, held, current, tokensMax);
        }
    }

    /// This job with other terms for its reasoning.
    public GenerationJob with(ReasoningTerms terms) {
        return new GenerationJob(prompt, tools, choice, effort, date, format, sampling, maxOutputTokens, terms, leeway);
    }

    /// This job with tokens chosen otherwise.
    public GenerationJob with(Sampling other) {
        return new GenerationJob(
                prompt, tools, choice, effort, date, format, other, maxOutputTokens, reasoning, leeway);
    }

    /// This job with other leeway.
    public GenerationJob with(Leeway other) {
        return new GenerationJob(
                prompt, tools, choice, effort, date, format, sampling, maxOutputTokens, reasoning, other);
    }

    /// This job with another conversation.
    public GenerationJob with(List<PromptItem> other) {
        return new GenerationJob(
                other, tools, choice, effort, date, format, sampling, maxOutputTokens, reasoning, leeway);
    }

    /// @param schema JSON schema as text; null for any JSON object
    public record ResponseFormat(
            String name,
            @Nullable String description,
            @Nullable String schema,
            boolean strict) {
        @Override
        public String toString() {
            return "ResponseFormat[strict=%s]".formatted(strict);
        }
    }

    /// @param seed null for a random one
    /// @param topLogprobs how many likeliest tokens to report with each, or null for no probabilities
    /// @param stop texts that end the answer
    /// @param logitBias added to the logits of these token ids
    public record Sampling(
            double temperature,
            double topP,
            double presencePenalty,
            double frequencyPenalty,
            @Nullable Long seed,
            @Nullable Integer topLogprobs,
            List<String> stop,
            Map<Integer, Double> logitBias) {
        public static final Sampling DEFAULT = new Sampling(1, 1, 0, 0, null, null, List.of(), Map.of());

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
        var out = new Fields.Writer();
        prompt.forEach(item -> out.message(1, item::encode));
        tools.forEach(tool -> out.message(
                2,
                inner -> inner.text(1, tool.name)
                        .text(2, tool.description)
                        .text(3, tool.parameters)
                        .flag(4, tool.strict)));
        out.number(3, choice.mode.ordinal())
                .text(4, choice.name)
                .text(5, effort)
                .text(6, date);
        if (format != null) {
            var wanted = format;
            out.message(
                    7,
                    inner -> inner.text(1, wanted.name)
                            .text(2, wanted.description)
                            .text(3, wanted.schema)
                            .flag(4, wanted.strict));
        }
        out.message(8, this::encodeSampling)
                .number(9, maxOutputTokens)
                .text(10, reasoning.context)
                .text(11, unlessEmpty(reasoning.heldConversation))
                .text(12, unlessEmpty(reasoning.conversation));
        if (reasoning.tokensMax != null) {
            out.number(13, reasoning.tokensMax + 1L);
        }
        if (!leeway.equals(Leeway.USUAL)) {
            out.flag(14, leeway.oneCall).flag(15, leeway.forgets);
        }
        return out.toBytes();
    }

    private static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private void encodeSampling(Fields.Writer out) {
        out.real(1, sampling.temperature)
                .real(2, sampling.topP)
                .real(3, sampling.presencePenalty)
                .real(4, sampling.frequencyPenalty)
                .texts(7, sampling.stop);
        if (sampling.seed != null) {
            out.bits(5, sampling.seed);
        }
        if (sampling.topLogprobs != null) {
            out.number(6, sampling.topLogprobs + 1);
        }
        sampling.logitBias.forEach(
                (id, bias) -> out.message(8, inner -> inner.number(1, id).real(2, bias)));
    }

    /// @throws MalformedMessageException for bytes that are no job
    public static GenerationJob decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var prompt = new ArrayList<PromptItem>();
        var tools = new ArrayList<FunctionTool>();
        int mode = 0;
        @Nullable String choice = null;
        var effort = "medium";
        var date = "";
        @Nullable ResponseFormat format = null;
        var sampling = Sampling.DEFAULT;
        int max = 0;
        var bonds = new String[] {"", "", ""};
        @Nullable Integer reasoningMax = null;
        var leeway = new boolean[2];
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> prompt.add(PromptItem.decode(in.bytes()));
                case 2 -> tools.add(Named.decode(in.bytes()).tool());
                case 3 -> mode = in.small();
                case 4 -> choice = in.text();
                case 5 -> effort = in.text();
                case 6 -> date = in.text();
                case 7 -> format = Named.decode(in.bytes()).format();
                case 8 -> sampling = decodeSampling(in.bytes());
                case 9 -> max = in.small();
                case 10, 11, 12 -> bonds[field - 10] = in.text();
                case 13 -> reasoningMax = tokensMax(in.number());
                case 14, 15 -> leeway[field - 14] = in.flag();
                default -> in.skip();
            }
        }
        if (mode < 0 || mode >= ToolChoice.Mode.values().length) {
            throw new MalformedMessageException("an unknown tool choice");
        }
        var toolChoice = new ToolChoice(ToolChoice.Mode.values()[mode], choice);
        var terms = new ReasoningTerms(bonds[0], bonds[1], bonds[2], reasoningMax);
        var left = new Leeway(leeway[0], leeway[1]);
        return new GenerationJob(prompt, tools, toolChoice, effort, date, format, sampling, max, terms, left);
    }

    private static int tokensMax(long plusOne) {
        if (plusOne < 1 || plusOne > Integer.MAX_VALUE + 1L) {
            throw new MalformedMessageException("a bound of reasoning that is no count");
        }
        return (int) (plusOne - 1);
    }

    private static Sampling decodeSampling(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var reals = new double[] {1, 1, 0, 0};
        @Nullable Long seed = null;
        @Nullable Integer top = null;
        var stop = new ArrayList<String>();
        var bias = new HashMap<Integer, Double>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1, 2, 3, 4 -> reals[field - 1] = in.real();
                case 5 -> seed = in.bits();
                case 6 -> top = in.small() - 1;
                case 7 -> stop.add(in.text());
                case 8 -> decodeBias(in.bytes(), bias);
                default -> in.skip();
            }
        }
        return new Sampling(reals[0], reals[1], reals[2], reals[3], seed, top, stop, bias);
    }

    private static void decodeBias(byte[] bytes, Map<Integer, Double> bias) {
        var in = new Fields.Reader(bytes);
        int id = 0;
        double value = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> id = in.small();
                case 2 -> value = in.real();
                default -> in.skip();
            }
        }
        bias.put(id, value);
    }

    /// Tools and formats have the same four fields.
    private record Named(
            String name,
            @Nullable String description,
            @Nullable String schema,
            boolean strict) {
        static Named decode(byte[] bytes) {
            var in = new Fields.Reader(bytes);
            var name = "";
            @Nullable String description = null;
            @Nullable String schema = null;
            boolean strict = false;
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> name = in.text();
                    case 2 -> description = in.text();
                    case 3 -> schema = in.text();
                    case 4 -> strict = in.flag();
                    default -> in.skip();
                }
            }
            return new Named(name, description, schema, strict);
        }

        FunctionTool tool() {
            return new FunctionTool(name, description == null ? "" : description, schema, strict);
        }

        ResponseFormat format() {
            return new ResponseFormat(name, description, schema, strict);
        }
    }
}
