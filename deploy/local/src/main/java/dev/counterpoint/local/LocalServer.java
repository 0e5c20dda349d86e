package dev.counterpoint.local;

import dev.counterpoint.engine.chat.probe.ServerFacts;
import dev.counterpoint.engine.chat.probe.ServerKind;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A server of models that runs on this machine.
///
/// @param models that it serves, at least one; those of gpt-oss first
record LocalServer(URI address, List<ServerFacts> models) {
    private static final String GPT_OSS = "gpt-oss";
    /// What goes into a command that somebody pastes into a shell.
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/:@+-]{1,128}");

    private static final int NAMES_MAX = 3;

    /// Empty where it serves nothing that can be asked for.
    static Optional<LocalServer> of(URI address, List<ServerFacts> told) {
        var usable = told.stream()
                .filter(model -> PLAIN.matcher(model.model()).matches())
                .toList();
        var ours = usable.stream().filter(model -> model.isOf(GPT_OSS));
        var others = usable.stream().filter(model -> !model.isOf(GPT_OSS));
        return usable.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new LocalServer(address, Stream.concat(ours, others).toList()));
    }

    private ServerFacts best() {
        return models.getFirst();
    }

    boolean servesGptOss() {
        return best().isOf(GPT_OSS);
    }

    /// The engine for its best model. Servers that take token ids get the tokens of gpt-oss; what else there is, and
    /// every server that takes messages only, is for `chat`.
    String engine() {
        if (!servesGptOss()) {
            return "chat";
        }
        return switch (best().kind()) {
            case VLLM -> "vllm";
            case SGLANG -> "sglang";
            case LLAMA_SERVER -> "llama-server";
            case OLLAMA, LM_STUDIO, MLX, LITELLM, OTHER -> "chat";
        };
    }

    /// True if masks and schemas can be held to by token.
    boolean takesTokens() {
        return !engine().equals("chat");
    }

    ServerKind kind() {
        return best().kind();
    }

    /// What clients call its best model: the server's name without what the names of our models must not have.
    private String modelName() {
        return best().model().replaceFirst(":latest$", "").replaceAll("[^A-Za-z0-9._/-]", "-");
    }

    /// Those of `up`; none holds a blank.
    String arguments() {
        var upstream = best().model();
        var named = "--engine " + engine() + " --engine-url " + address + " --model-name " + modelName();
        return modelName().equals(upstream) ? named : named + " --upstream-model " + upstream;
    }

    /// For people, such as `Ollama 0.12.3 at http://127.0.0.1:11434: gpt-oss:20b, qwen3:8b`.
    String text() {
        var names = models.stream().limit(NAMES_MAX).map(ServerFacts::model).collect(Collectors.joining(", "));
        int more = models.size() - NAMES_MAX;
        return best().server() + " at " + address + ": " + names + (more > 0 ? " and " + more + " more" : "");
    }
}
