package dev.counterpoint.engine.gguf;

import dev.counterpoint.engine.EarlyMask;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineStatistics;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.TokenSink;
import dev.counterpoint.engine.chat.HarmonyWriter;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.gguf.ModelMask.ReasoningBound;
import dev.counterpoint.engine.llama.LlamaEngine;
import dev.counterpoint.engine.llama.ModelFile;
import dev.counterpoint.engine.llama.ModelVocabulary;
import dev.counterpoint.engine.llama.UnusableModelException;
import dev.counterpoint.engine.template.ChatTemplate;
import dev.counterpoint.engine.template.TemplateRefusedException;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.structured.match.ConstraintCache;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A model of any GGUF in this process: it gets the conversation as messages under its own template, and what it says
/// is held to the form of its turn by masks over its own tokens. It is passed on as the tokens of a Harmony model
/// that says the same, so limits count those. Another attempt continues an output where it broke off.
///
/// A turn has one call at most. Thread-safe.
public final class GgufEngine implements Engine {
    private final LlamaEngine engine;
    private final ModelVocabulary vocabulary;
    private final TurnVocabulary turns;
    private final TemplateTraits traits;
    private final SpelledMarks marks;
    private final PromptWriter prompts;
    private final ConstraintCache constraints;
    private final Sampling usual;
    private final Consumer<Duration> masks;
    private final EngineDescription description;

    /// An output that ended before it began.
    private static final Generation OVER = new Generation() {
        @Override
        public void wake() {
            // Nothing waits.
        }

        @Override
        public boolean moved() {
            return true;
        }

        @Override
        public void cancel() {
            // It has ended.
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    };

    /// @param tenant whose constraints are shared
    private record Key(String tenant, TurnStep turn) {}

    /// @param engine of the file; closed with this one
    /// @param usual how tokens are drawn where a request does not say
    /// @param masks hears how long each set of allowed tokens took
    /// @throws UnusableModelException when the file has no chat template, or one that cannot be rendered
    public GgufEngine(LlamaEngine engine, Sampling usual, Consumer<Duration> masks) {
        this.engine = engine;
        this.usual = usual;
        this.masks = masks;
        var file = engine.file();
        vocabulary = engine.vocabulary();
        var source = Optional.ofNullable(file.templates().get("tool_use"))
                .or(() -> Optional.ofNullable(file.templates().get(ModelFile.DEFAULT_TEMPLATE)))
                .orElseThrow(() -> new UnusableModelException(file.path(), "has no chat template"));
        var ends = vocabulary.ends().stream().map(vocabulary::name).toList();
        marks = new SpelledMarks(IntStream.range(0, vocabulary.size())
                .filter(vocabulary::isControl)
                .mapToObj(vocabulary::name)
                .toList());
        try {
            var special = Map.of("bos_token", vocabulary.beginText(), "eos_token", vocabulary.endText());
            var template = new ChatTemplate(file.name(), source, special);
            traits = TemplateTraits.of(template, ends);
            prompts = new PromptWriter(template, known(file.name(), template), marks);
        } catch (TemplateRefusedException e) {
            throw new UnusableModelException(
                    file.path(), "has a chat template that cannot be rendered: " + e.getMessage());
        }
        turns = new TurnVocabulary(vocabulary, written(traits));
        constraints = new ConstraintCache(turns.lexemes());
        var inner = engine.describe();
        description = new EngineDescription(
                inner.engine(),
                inner.model(),
                inner.text() + "; not gpt-oss",
                inner.contextLength(),
                inner.contextTokens(),
                inner.slots(),
                HarmonyTokenizer.shared().vocabularySize(),
                Set.of(Ability.MESSAGES, Ability.CONTINUES_ANSWERS));
    }

    private static KnownModel known(String name, ChatTemplate template) {
        var family = FamilyTable.shared().of(name, template.text()).orElse(null);
        var rule = new TextRule(TextRule.Unmarked.ANSWER, List.of(), List.of(), false, "held to its form by masks");
        // Reasoning goes back in a member of its own, of which the template makes what it likes.
        return new KnownModel(family, rule, ThinkingSwitch.NONE, false, true, true, true, false, name);
    }

    private static List<String> written(TemplateTraits traits) {
        var call = Objects.requireNonNullElse(traits.call(), CallForm.USUAL);
        var marks = new ArrayList<>(List.of(call.open(), call.middle(), call.close()));
        if (traits.marks() != null) {
            marks.addAll(List.of(traits.marks().open(), traits.marks().close()));
        }
        return marks;
    }

    @Override
    public EngineDescription describe() {
        return description;
    }

    @Override
    public Generation start(GenerationRequest request, TokenSink sink) {
        var job = request.requireJob();
        if (request.mask() != TokenMask.ALL || request.sampling().topLogprobs() != null) {
            throw new IllegalArgumentException("this engine takes messages, and neither masks nor log probabilities");
        }
        var turn = Turn.of(job, traits);
        String prompt;
        try {
            prompt = prompts.prompt(turn, LocalDate.parse(job.date()));
        } catch (TemplateRefusedException e) {
            return over(StopReason.REFUSED, String.valueOf(e.getMessage()), sink);
        }
        var step = turn.behind(prompt);
        var names = HarmonyWriter.names(job);
        var earlier = EarlierSpeech.of(request.prefix());
        var written = earlier.written(step, names::recipient);
        int[] tokens = tokens(prompt);
        int room = description.contextLength() - tokens.length;
        int[] said = turns.continuation(written, earlier.half());
        if (room <= said.length) {
            return over(said.length == 0 ? StopReason.PROMPT_TOO_LONG : StopReason.CONTEXT_FULL, "", sink);
        }
        var mask = turn.constrained() ? mask(request, turn, step, room) : TokenMask.ALL;
        var inner = new GenerationRequest(
                request.id(), tokens, said, sampling(request), room, vocabulary.ends(), mask, request.cacheSalt());
        return engine.start(inner, new SpokenSink(sink, turns, new Speech(step, names, request, earlier, written)));
    }

    /// @param detail for operators, without content
    private static Generation over(StopReason reason, String detail, TokenSink sink) {
        sink.stopped(new Step.Stopped(reason, detail));
        return OVER;
    }

    private TokenMask mask(GenerationRequest request, Turn turn, TurnStep step, int room) {
        var constraint = constraints.of(new Key(request.cacheSalt(), step), pool -> TurnTextGrammar.of(step, pool));
        return new EarlyMask(new ModelMask(constraint, bound(turn, step, Math.min(room, request.maxTokens()))), masks);
    }

    /// Half of the room is left for the answer.
    private @Nullable ReasoningBound bound(Turn turn, TurnStep step, int room) {
        if (!turn.reasons()) {
            return null;
        }
        var asked = turn.job().reasoning().tokensMax();
        int max = Math.max(1, room / 2);
        return new ReasoningBound(asked == null ? max : Math.min(asked, max), turns, step);
    }

    /// A template often writes the begin-of-text token itself.
    private int[] tokens(String prompt) {
        boolean begun = !vocabulary.addsBegin() || prompt.startsWith(vocabulary.beginText());
        return marks.tokens(
                begun ? prompt : vocabulary.beginText() + prompt,
                (text, spelled) -> spelled ? vocabulary.continuation(text) : vocabulary.tokenize(text, true));
    }

    private Sampling sampling(GenerationRequest request) {
        var job = request.requireJob();
        var asked = request.sampling();
        return new Sampling(
                job.sampling().temperature() == null ? usual.temperature() : asked.temperature(),
                job.sampling().topP() == null ? usual.topP() : asked.topP(),
                Objects.requireNonNullElse(job.options().minP(), usual.minP()),
                asked.presencePenalty(),
                asked.frequencyPenalty(),
                Map.of(), // ids of another vocabulary
                asked.seed(),
                null);
    }

    @Override
    public EngineHealth health() {
        return engine.health();
    }

    @Override
    public EngineStatistics statistics() {
        return engine.statistics();
    }

    @Override
    public void close() {
        engine.close();
    }
}
