package dev.counterpoint.gateway.prompts;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.PromptTemplate;
import dev.counterpoint.openai.responses.PromptVariable;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The prompts of the operator's folder, as they were at the start. Thread-safe.
@Startup
@ApplicationScoped
public class Prompts {
    private static final String ID = "prompt.id";
    private static final String VERSION = "prompt.version";
    private static final String VARIABLES = "prompt.variables";

    private final Map<String, NavigableMap<Integer, PromptFile>> prompts;

    @Inject
    Prompts(GatewayConfig config) {
        this(config.prompts().map(PromptFile::readAll).orElse(Map.of()));
    }

    Prompts(Map<String, NavigableMap<Integer, PromptFile>> prompts) {
        this.prompts = Map.copyOf(prompts);
    }

    /// The messages of a prompt with its variables filled in. The text of a variable is not searched for variables.
    ///
    /// @param asked null for nothing
    /// @throws ProblemException 404 for a prompt or a version that is not there
    /// @throws WireException for a variable that is missing, that the prompt does not have, or that is no text
    public List<InputItem> fill(@Nullable PromptTemplate asked) {
        if (asked == null) {
            return List.of();
        }
        var file = file(asked);
        var values = values(Objects.requireNonNullElse(asked.variables(), Map.<String, PromptVariable>of()), file);
        return file.messages().stream()
                .<InputItem>map(message ->
                        new InputItem.Message(message.role(), new MessageContent.Text(message.filled(values))))
                .toList();
    }

    private PromptFile file(PromptTemplate asked) {
        var versions = prompts.get(asked.id());
        if (versions == null) {
            throw missing(ID, "Prompt with id '" + asked.id() + "'");
        }
        if (asked.version() == null) {
            return versions.lastEntry().getValue();
        }
        return versions.values().stream()
                .filter(file -> file.version().equals(asked.version()))
                .findFirst()
                .orElseThrow(() -> missing(VERSION, "Version '" + asked.version() + "' of this prompt"));
    }

    private static Map<String, String> values(Map<String, PromptVariable> variables, PromptFile file) {
        var values = new HashMap<String, String>();
        variables.forEach((name, variable) -> {
            var param = VARIABLES + "." + name;
            if (!file.variables().contains(name)) {
                throw RequestRules.invalid(param, "the prompt has no such variable.");
            }
            values.put(
                    name,
                    switch (variable) {
                        case PromptVariable.Text(String text) -> text;
                        case PromptVariable.Part(InputContent.InputText(String text, var _, var _)) -> text;
                        case PromptVariable.Part(InputContent part) ->
                            throw RequestRules.unsupportedValue(param, part.type(), "The model reads text only.");
                    });
        });
        for (var name : file.variables()) {
            if (!values.containsKey(name)) {
                throw RequestRules.missing(VARIABLES + "." + name);
            }
        }
        return values;
    }

    private static ProblemException missing(String param, String what) {
        return new ProblemException(Problem.notFound(param, what));
    }
}
