package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a server tells of itself and of the model that it is to serve. Two that are equal are of a server
/// that has not changed.
///
/// @param kind of the server
/// @param version of the server; empty where it does not tell
/// @param model the name under which it serves the model
/// @param listed whether the server's own list has that name
/// @param names of the same model, the most telling one first: its repository, its file, `model`, its
///     architecture
/// @param settings that decide what is in a response, such as the server's reasoning parser, and the
///     model's abilities
/// @param template the model's chat template; null where it cannot be had
/// @param complete whether every question was answered, so that what is not here is not there
public record ServerFacts(
        ServerKind kind,
        String version,
        String model,
        boolean listed,
        List<String> names,
        List<String> settings,
        @Nullable String template,
        boolean complete) {
    /// Ollama's word for a model that can think.
    private static final String CAN_THINK = "thinking";

    /// Ollama's word for a model that takes images; a setting of ours where other servers say so.
    static final String SEES = "vision";

    /// Prefix of the setting with the name of SGLang's reasoning parser.
    static final String PARSES = "reasoning-parser ";

    /// A setting of ours: the model makes no text.
    static final String EMBEDS = "embeds";

    public ServerFacts {
        names = List.copyOf(names);
        settings = List.copyOf(settings);
    }

    /// True if the server separates the reasoning of this model from its answer, by its own statement.
    boolean separatesReasoning() {
        return switch (kind) {
            case OLLAMA -> settings.contains(CAN_THINK);
            case SGLANG -> settings.stream().anyMatch(setting -> setting.startsWith(PARSES));
            case LLAMA_SERVER, VLLM, LM_STUDIO, MLX, LITELLM, OTHER -> false;
        };
    }

    /// True if the model is of the known family `name`.
    public boolean isOf(String name) {
        return family().filter(known -> known.family().name().equals(name)).isPresent();
    }

    /// By one of its names, the most telling one first, or by its template. A family that reasons is
    /// believed before one that does not.
    Optional<KnownFamily> family() {
        var found = names.stream().flatMap(name -> family(name).stream()).toList();
        return found.stream()
                .filter(known -> known.family().form() != Form.PLAIN)
                .findFirst()
                .or(() -> found.stream().findFirst());
    }

    /// Names that only the server has may be paths of files, so they are not told.
    private Optional<KnownFamily> family(String name) {
        var table = FamilyTable.shared();
        return table.of(name, template).map(family -> {
            boolean named = table.of(name, null).filter(family::equals).isPresent();
            var by = name.equals(model) ? "by its name" : "by its name at the server";
            return new KnownFamily(family, named ? by : "by its template");
        });
    }

    /// For people, such as `Ollama 0.12.3`.
    public String server() {
        return version.isEmpty() ? kind.text() : kind.text() + " " + version;
    }

    /// For people, such as `Ollama 0.12.3, qwen3:8b`.
    String text() {
        return server() + ", " + model + (listed ? "" : ", which is not in its list of models");
    }

    /// A template is long.
    @Override
    public String toString() {
        return "ServerFacts[" + text() + (template == null ? "" : ", with a template") + "]";
    }
}
