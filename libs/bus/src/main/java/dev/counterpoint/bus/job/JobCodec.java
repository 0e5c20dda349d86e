package dev.counterpoint.bus.job;

import com.google.protobuf.ByteString;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.GenerationJob.Leeway;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.Sampling;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
import java.util.HashMap;
import java.util.Objects;

/// The bytes of a [GenerationJob].
final class JobCodec {
    private JobCodec() {}

    static byte[] encode(GenerationJob job) {
        var out = BusProto.GenerationJob.newBuilder()
                .addAllPrompt(job.prompt().stream().map(PromptCodec::encode).toList())
                .addAllTools(job.tools().stream().map(JobCodec::encode).toList())
                .setChoice(job.choice().mode().number())
                .setEffortBytes(Wire.text(job.effort()))
                .setDateBytes(Wire.text(job.date()))
                .setSampling(encode(job.sampling(), job.options()))
                .setMaxOutputTokens(job.maxOutputTokens())
                .setReasoningContextBytes(Wire.text(job.reasoning().context()))
                .setHeldConversationBytes(Wire.text(job.reasoning().heldConversation()))
                .setConversationBytes(Wire.text(job.reasoning().conversation()))
                .setReasoningTokensMaxPlusOne(Wire.count(job.reasoning().tokensMax()))
                .setOneCall(Wire.flag(job.leeway().oneCall()))
                .setForgets(Wire.flag(job.leeway().forgets()));
        if (!ReasoningBond.NONE.equals(job.reasoning().bond())) {
            out.setBond(job.reasoning().bond().message());
        }
        if (job.choice().name() != null) {
            out.setFunctionBytes(Wire.text(job.choice().name()));
        }
        if (job.format() != null) {
            out.setFormat(encode(job.format()));
        }
        return out.build().toByteArray();
    }

    private static BusProto.GenerationJob.Function encode(FunctionTool tool) {
        var out = BusProto.GenerationJob.Function.newBuilder()
                .setNameBytes(Wire.text(tool.name()))
                .setDescriptionBytes(Wire.text(tool.description()))
                .setStrict(Wire.flag(tool.strict()))
                .setAsync(Wire.flag(tool.async()));
        if (tool.parameters() != null) {
            out.setParametersBytes(Wire.text(tool.parameters()));
        }
        if (tool.input() != null) {
            out.setInput(BusProto.GenerationJob.Grammar.newBuilder()
                    .setSyntax(tool.input().syntax().number())
                    .setDefinitionBytes(Wire.text(tool.input().definition())));
        }
        return out.build();
    }

    private static BusProto.GenerationJob.Format encode(ResponseFormat format) {
        var out = BusProto.GenerationJob.Format.newBuilder()
                .setNameBytes(Wire.text(format.name()))
                .setStrict(Wire.flag(format.strict()));
        if (format.description() != null) {
            out.setDescriptionBytes(Wire.text(format.description()));
        }
        if (format.schema() != null) {
            out.setSchemaBytes(Wire.text(format.schema()));
        }
        return out.build();
    }

    /// Generated code writes fields in the order of their numbers, and the first versions wrote these in another: so
    /// the
    /// message is written in pieces.
    private static ByteString encode(Sampling sampling, ModelOptions options) {
        var temperatures = BusProto.GenerationJob.Sampling.newBuilder()
                .setTemperature(Objects.requireNonNullElse(sampling.temperature(), 1.0))
                .setTopP(Objects.requireNonNullElse(sampling.topP(), 1.0));
        var unset = BusProto.GenerationJob.Sampling.newBuilder()
                .setTemperatureUnset(Wire.flag(sampling.temperature() == null))
                .setTopPUnset(Wire.flag(sampling.topP() == null));
        var penalties = BusProto.GenerationJob.Sampling.newBuilder()
                .setPresencePenalty(sampling.presencePenalty())
                .setFrequencyPenalty(sampling.frequencyPenalty());
        var stop = BusProto.GenerationJob.Sampling.newBuilder();
        sampling.stop().forEach(text -> stop.addStopBytes(Wire.text(text)));
        var rest =
                BusProto.GenerationJob.Sampling.newBuilder().setTopLogprobsPlusOne(Wire.count(sampling.topLogprobs()));
        if (sampling.seed() != null) {
            rest.setSeed(sampling.seed());
        }
        sampling.logitBias()
                .forEach((token, bias) -> rest.addLogitBias(
                        BusProto.GenerationJob.Bias.newBuilder().setToken(token).setBias(bias)));
        if (!ModelOptions.NONE.equals(options)) {
            rest.setOptions(options.message());
        }
        return temperatures
                .build()
                .toByteString()
                .concat(unset.build().toByteString())
                .concat(penalties.build().toByteString())
                .concat(stop.build().toByteString())
                .concat(rest.build().toByteString());
    }

    static GenerationJob decode(byte[] bytes) {
        var in = Wire.parse(BusProto.GenerationJob.parser(), bytes);
        var sampling = in.hasSampling()
                ? Wire.parse(
                        BusProto.GenerationJob.Sampling.parser(),
                        in.getSampling().toByteArray())
                : null;
        return new GenerationJob(
                in.getPromptList().stream().map(PromptCodec::decode).toList(),
                in.getToolsList().stream().map(JobCodec::tool).toList(),
                new ToolChoice(
                        Wire.constant(in.getChoice(), ToolChoice.Mode.values()),
                        in.hasFunction() ? in.getFunction() : null),
                in.hasEffort() ? in.getEffort() : "medium",
                in.getDate(),
                in.hasFormat() ? format(in.getFormat()) : null,
                sampling == null ? Sampling.DEFAULT : sampling(sampling),
                Wire.small(in.getMaxOutputTokens()),
                new ReasoningTerms(
                        in.getReasoningContext(),
                        in.getHeldConversation(),
                        in.getConversation(),
                        Wire.countOf(in.getReasoningTokensMaxPlusOne()),
                        new ReasoningBond(in.getBond())),
                new Leeway(in.getOneCall() != 0, in.getForgets() != 0),
                sampling == null || !sampling.hasOptions()
                        ? ModelOptions.NONE
                        : ModelOptions.of(sampling.getOptions()));
    }

    private static FunctionTool tool(BusProto.GenerationJob.Function in) {
        return new FunctionTool(
                in.getName(),
                in.getDescription(),
                in.hasParameters() ? in.getParameters() : null,
                in.getStrict() != 0,
                in.hasInput() ? grammar(in.getInput()) : null,
                in.getAsync() != 0);
    }

    private static InputGrammar grammar(BusProto.GenerationJob.Grammar in) {
        return new InputGrammar(Wire.constant(in.getSyntax(), InputGrammar.Syntax.values()), in.getDefinition());
    }

    private static ResponseFormat format(BusProto.GenerationJob.Format in) {
        return new ResponseFormat(
                in.getName(),
                in.hasDescription() ? in.getDescription() : null,
                in.hasSchema() ? in.getSchema() : null,
                in.getStrict() != 0);
    }

    private static Sampling sampling(BusProto.GenerationJob.Sampling in) {
        var bias = new HashMap<Integer, Double>();
        in.getLogitBiasList().forEach(one -> bias.put(Wire.small(one.getToken()), one.getBias()));
        double temperature = in.hasTemperature() ? in.getTemperature() : 1;
        double topP = in.hasTopP() ? in.getTopP() : 1;
        return new Sampling(
                in.getTemperatureUnset() == 0 ? Double.valueOf(temperature) : null,
                in.getTopPUnset() == 0 ? Double.valueOf(topP) : null,
                in.getPresencePenalty(),
                in.getFrequencyPenalty(),
                in.hasSeed() ? Long.valueOf(in.getSeed()) : null,
                Wire.countOf(in.getTopLogprobsPlusOne()),
                in.getStopList(),
                bias);
    }
}
