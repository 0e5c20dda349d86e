package dev.counterpoint.bus.wire;

import static dev.counterpoint.bus.wire.SampleMessages.flags;
import static dev.counterpoint.bus.wire.SampleMessages.ints;
import static dev.counterpoint.bus.wire.SampleMessages.longs;
import static dev.counterpoint.bus.wire.SampleMessages.reals;
import static dev.counterpoint.bus.wire.SampleMessages.texts;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.GenerationJob.Leeway;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.Sampling;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.ReasoningBond;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/// Makes up jobs.
final class SampleJobs {
    private SampleJobs() {}

    static Arbitrary<GenerationJob> jobs() {
        var asked = Combinators.combine(prompts(), tools(), choices()).as(Asked::new);
        var usual = Combinators.combine(asked, texts(), texts(), formats(), samplings(), ints(), terms())
                .as((what, effort, date, format, sampling, max, terms) -> new GenerationJob(
                        what.prompt, what.tools, what.choice, effort, date, format, sampling, max, terms));
        return Combinators.combine(usual, leeways(), options())
                .as((job, leeway, options) -> job.with(leeway).with(options));
    }

    /// Sets any of the fields, so that a new one needs no word here.
    private static Arbitrary<ModelOptions> options() {
        var fields = BusProto.GenerationJob.Options.getDescriptor().getFields();
        var values = fields.stream()
                .map(field -> optionOf(field.getType()).injectNull(0.3))
                .toList();
        return Combinators.combine(values).as(all -> {
            var options = BusProto.GenerationJob.Options.newBuilder();
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i) != null) {
                    options.setField(fields.get(i), all.get(i));
                }
            }
            return ModelOptions.of(options.build());
        });
    }

    private static Arbitrary<Object> optionOf(FieldDescriptor.Type type) {
        return switch (type) {
            case SINT64 -> Arbitraries.longs().between(0, 2).map(value -> value);
            case FIXED64 -> ints().map(Integer::longValue);
            case DOUBLE -> reals().map(value -> value);
            case STRING -> texts().map(value -> value);
            default -> throw new IllegalArgumentException("no example of " + type);
        };
    }

    private static Arbitrary<Leeway> leeways() {
        return Combinators.combine(flags(), flags()).as(Leeway::new);
    }

    private record Asked(List<PromptItem> prompt, List<FunctionTool> tools, ToolChoice choice) {}

    private static Arbitrary<List<PromptItem>> prompts() {
        Arbitrary<PromptItem> items = Arbitraries.oneOf(
                texts().map(PromptItem.Instructions::new),
                texts().map(PromptItem.User::new),
                Combinators.combine(texts(), texts(), texts())
                        .as(PromptItem.Illustrated.Part::new)
                        .list()
                        .ofMaxSize(3)
                        .map(PromptItem.Illustrated::new),
                Combinators.combine(texts(), flags()).as(PromptItem.Assistant::new),
                texts().map(PromptItem.Reasoning::new),
                texts().map(PromptItem.Sealed::new),
                texts().map(PromptItem.Retold::new),
                Combinators.combine(texts(), texts(), texts()).as(PromptItem.Call::new),
                Combinators.combine(texts(), texts(), texts()).as(PromptItem.CallOutput::new));
        return items.list().ofMaxSize(8);
    }

    private static Arbitrary<List<FunctionTool>> tools() {
        return Combinators.combine(texts(), texts(), texts().injectNull(0.3), flags(), grammars(), flags())
                .as(FunctionTool::new)
                .list()
                .ofMaxSize(3);
    }

    private static Arbitrary<@Nullable InputGrammar> grammars() {
        return Combinators.combine(Arbitraries.of(InputGrammar.Syntax.class), texts())
                .as(InputGrammar::new)
                .injectNull(0.5);
    }

    private static Arbitrary<ToolChoice> choices() {
        return Combinators.combine(Arbitraries.of(ToolChoice.Mode.class), texts().injectNull(0.5))
                .as(ToolChoice::new);
    }

    private static Arbitrary<@Nullable ResponseFormat> formats() {
        return Combinators.combine(texts(), texts().injectNull(0.3), texts().injectNull(0.3), flags())
                .as(ResponseFormat::new)
                .injectNull(0.3);
    }

    private static Arbitrary<ReasoningTerms> terms() {
        var bounds = Arbitraries.integers().between(0, Integer.MAX_VALUE).injectNull(0.3);
        return Combinators.combine(texts(), texts(), texts(), bounds, bonds()).as(ReasoningTerms::new);
    }

    private static Arbitrary<ReasoningBond> bonds() {
        return Combinators.combine(texts().map(ByteString::copyFromUtf8), ints())
                .as((digest, number) -> new ReasoningBond(BusProto.ReasoningBond.newBuilder()
                        .setUser(digest)
                        .setCount(number)
                        .build()));
    }

    private static Arbitrary<Sampling> samplings() {
        var biases = Arbitraries.maps(ints(), reals()).ofMaxSize(4);
        var likeliest = Arbitraries.integers().between(0, 20).injectNull(0.3);
        return Combinators.combine(
                        reals().injectNull(0.3),
                        reals().injectNull(0.3),
                        reals(),
                        reals(),
                        longs().injectNull(0.3),
                        likeliest,
                        texts().list().ofMaxSize(4),
                        biases)
                .as(Sampling::new);
    }
}
