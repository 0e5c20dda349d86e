package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamEngine;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A model of any kind behind the Chat Completions of one or more servers, all with the same model.
///
/// It gets the conversation as messages, under its own template, and what it says comes out as the
/// tokens by which a Harmony model would have said it. So tokens are ours and not the model's: limits
/// are kept in them, and masks, biases and log probabilities mean nothing here. An output that began to
/// answer cannot be taken up by another attempt; one that only reasoned is made anew, after those
/// thoughts.
public final class ChatEngine extends UpstreamEngine {
    /// This path answers 200 on every such server; few know `/health`.
    public static final String HEALTH_PATH = "/v1/models";

    private final ChatOptions options;
    private final ChatServerSurvey survey;
    private final ModelWatch watch;

    public ChatEngine(ChatOptions options) {
        this(options, new ChatServerSurvey(options));
    }

    private ChatEngine(ChatOptions options, ChatServerSurvey survey) {
        super(
                new EngineDescription(
                        "chat",
                        options.model(),
                        options.upstreamModel(),
                        options.contextLength(),
                        (long) options.slots() * options.contextLength(),
                        options.slots(),
                        HarmonyTokenizer.shared().vocabularySize(),
                        Set.of(Ability.MESSAGES)),
                options.access(),
                survey);
        this.options = options;
        this.survey = survey;
        watch = new ModelWatch(options, this::wellServers, () -> objections().keySet());
        watch.start();
    }

    public KnownModel known() {
        return watch.known();
    }

    @Override
    public EngineDescription describe() {
        var known = known();
        var description = super.describe().withContext(contextLength()).withText(text(known));
        return known.seesImages() ? description.with(Ability.IMAGES) : description;
    }

    /// The smallest of all servers that may get a request, in tokens of the model, which ours are an estimate of.
    private int contextLength() {
        return usableServers().stream().mapToInt(survey::contextOf).reduce(options.contextLength(), Math::min);
    }

    /// For everybody who may see the list of models: no addresses.
    private String text(KnownModel known) {
        boolean nobodyServes = objections().size() == options.access().servers().size();
        return Stream.of(
                        Optional.of(nobodyServes ? options.upstreamModel() : known.text()),
                        smallContext(contextLength(), options.contextLength()),
                        leftOut())
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
    }

    @Override
    public List<EngineNotice> notices() {
        var notices = new ArrayList<>(super.notices());
        boolean anyWell = !wellServers().isEmpty();
        if (anyWell && !watch.ready()) {
            notices.add(
                    new EngineNotice(EngineNotice.Code.BEING_EXAMINED, "the servers are being asked about the model"));
        } else if (anyWell && known().rule().unmarked() == TextRule.Unmarked.UNKNOWN) {
            notices.add(new EngineNotice(
                    EngineNotice.Code.WITHHOLDS, "text that nothing separates from reasoning is withheld"));
        }
        return List.copyOf(notices);
    }

    /// No job starts before the servers were asked how the model shows reasoning.
    @Override
    protected boolean prepared() {
        return watch.ready();
    }

    @Override
    public void close() {
        watch.close();
        super.close();
    }

    @Override
    protected StreamedGeneration.Run run(UpstreamClient client, GenerationRequest request) {
        if (request.job() == null
                || request.mask() != TokenMask.ALL
                || request.sampling().topLogprobs() != null) {
            throw new IllegalArgumentException("this engine takes messages, and neither masks nor log probabilities");
        }
        var known = known();
        return reader -> new ChatRun(client, options, known, request).follow(reader);
    }
}
