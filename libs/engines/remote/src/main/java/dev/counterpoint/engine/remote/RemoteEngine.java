package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamEngine;
import java.util.Set;

/// A gpt-oss model in one or more servers, all of one kind and all with the same model.
///
/// A prefix is continued as if it were prompt. At temperature 0 it goes on exactly, as far as the
/// server computes alike; above, every draw is a function of the seed and of where the request began,
/// so the same request draws alike but a resumed one need not; SGLang with
/// `--enable-deterministic-inference` draws by position, so that there it does. Penalties go on over a
/// prefix: frequency exactly, presence as [ServerRequest#biasOfOutput] says.
///
/// A mask is told with each request, as bias or as a list of tokens. Where only one token is allowed no
/// server is asked, and its log probability is 0. The other log probabilities are the servers': vLLM's
/// and llama-server's from before bias and mask, SGLang's from after the bias and the temperature; one
/// that a server does not name is -9999, as in OpenAI's API.
///
/// Cached prompt work is shared under one salt only: vLLM and SGLang are told the salt, and
/// llama-server, which knows none, keeps nothing unless all requests have the same.
public final class RemoteEngine extends UpstreamEngine {
    private final RemoteOptions options;

    public RemoteEngine(RemoteOptions options) {
        super(
                new EngineDescription(
                        "remote",
                        options.model(),
                        options.model() + " by " + options.dialect().server(),
                        options.contextLength(),
                        (long) options.slots() * options.contextLength(),
                        options.slots(),
                        TokenIds.VOCABULARY,
                        Set.of(Ability.FEW_TOKEN_MASKS, Ability.LOGPROBS, Ability.CONTINUES_INSIDE_CONSTRAINT)),
                options.access());
        this.options = options;
    }

    @Override
    protected StreamedGeneration.Run run(UpstreamClient client, GenerationRequest request) {
        return new RemoteRun(client, options, request)::follow;
    }
}
