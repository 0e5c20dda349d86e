package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A gpt-oss model in one or more servers, all of one kind and all with the same model.
///
/// A prefix is continued as if it were prompt. At temperature 0 it goes on exactly, as far as the
/// server computes alike; above, every draw is a function of the seed and of where the request began,
/// so the same request draws alike but a resumed one need not; where a server is seen to draw by seed and position, as
/// vLLM's V2 runner and SGLang with `--enable-deterministic-inference` do, it does. Penalties go on over a
/// prefix: frequency exactly, presence as [ServerRequest#biasOfOutput] says.
///
/// A mask is told with each request, as bias or as a list of tokens. Where only one token is allowed no
/// server is asked, and its log probability is 0. The other log probabilities are the servers': vLLM's
/// and llama-server's from before bias and mask, SGLang's from after the bias and the temperature; one
/// that a server does not name is -9999, as in OpenAI's API.
///
/// Cached prompt work is shared under one salt only: vLLM and SGLang are told the salt, and
/// llama-server, which knows none, keeps nothing unless all requests have the same.
///
/// Servers are surveyed before they get requests: what cannot serve as it is set up is left out, and the text of
/// [#describe] says why. The context length is that of the smallest.
public final class RemoteEngine extends UpstreamEngine {
    private final RemoteOptions options;
    private final ServerSurvey survey;

    public RemoteEngine(RemoteOptions options) {
        this(options, new ServerSurvey(options));
    }

    private RemoteEngine(RemoteOptions options, ServerSurvey survey) {
        super(
                description(
                        options,
                        options.dialect().server(),
                        options.contextLength(),
                        SlotLimit.FIRST * options.access().servers().size()),
                options.access(),
                survey);
        this.options = options;
        this.survey = survey;
    }

    private static EngineDescription description(RemoteOptions options, String text, int contextLength, int told) {
        int slots = options.slots().orElse(told);
        return new EngineDescription(
                "remote",
                options.model(),
                options.model() + " by " + text,
                contextLength,
                (long) slots * contextLength,
                slots,
                TokenIds.VOCABULARY,
                Set.of(Ability.FEW_TOKEN_MASKS, Ability.LOGPROBS, Ability.CONTINUES_INSIDE_CONSTRAINT));
    }

    @Override
    public EngineDescription describe() {
        var usable = usableServers();
        var profiles = usable.stream().map(survey::of).toList();
        // As many slots as the servers take now; at least one, for a description has some.
        int slots = Math.max(1, usable.stream().mapToInt(survey::slotsOf).sum());
        var now = description(options, text(profiles), contextLength(), slots);
        boolean exact = !profiles.isEmpty() && profiles.stream().allMatch(ServerProfile::drawsByPosition);
        return exact ? now.with(Ability.RESUMES_DRAWS) : now;
    }

    /// The smallest of all servers that may get a request.
    private int contextLength() {
        return usableServers().stream()
                .map(server -> survey.of(server).contextLength())
                .filter(Objects::nonNull)
                .mapToInt(Integer::intValue)
                .reduce(options.contextLength(), Math::min);
    }

    /// For everybody who may see the list of models: no addresses.
    private String text(List<ServerProfile> profiles) {
        var versions = profiles.stream()
                .map(ServerProfile::version)
                .filter(version -> !version.isEmpty())
                .distinct()
                .sorted();
        var parts = new ArrayList<String>();
        parts.add(Stream.concat(Stream.of(options.dialect().server()), versions).collect(Collectors.joining(" ")));
        if (profiles.stream().anyMatch(profile -> !profile.takesBias())) {
            parts.add("takes no logit_bias");
        }
        profiles.stream()
                .flatMap(profile -> profile.warnings().stream())
                .distinct()
                .forEach(parts::add);
        smallContext(contextLength(), options.contextLength()).ifPresent(parts::add);
        var leftOut = leftOut();
        if (leftOut.isPresent()) {
            parts.add(leftOut.get());
        } else if (wellServers().isEmpty()) {
            parts.add(beingAsked() ? "being asked what it is" : "no server answers");
        }
        return String.join("; ", parts);
    }

    @Override
    protected StreamedGeneration.Run run(UpstreamClient client, GenerationRequest request) {
        return new RemoteRun(client, survey, request, contextLength())::follow;
    }
}
