package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamEngine;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Set;

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
    private final ModelWatch watch;

    public ChatEngine(ChatOptions options) {
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
                options.access());
        this.options = options;
        watch = new ModelWatch(options, this::wellServers);
        watch.start();
    }

    /// What is known of the model now.
    public KnownModel known() {
        return watch.known();
    }

    @Override
    public EngineDescription describe() {
        var known = known();
        var description = super.describe().withText(known.text());
        return known.seesImages() ? description.with(Ability.IMAGES) : description;
    }

    /// Nothing is asked of a model before it is known how its text is told apart.
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
