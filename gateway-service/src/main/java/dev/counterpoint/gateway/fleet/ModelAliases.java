package dev.counterpoint.gateway.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.openai.json.WireJson;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The names by which callers may ask for a served model, beside its own. Thread-safe.
@Startup
@ApplicationScoped
public class ModelAliases {
    private static final Pattern SETTING = Pattern.compile("([^=*]+\\*?)=([^=*]+)");
    private static final String REST = "*";

    private final Fleet fleet;
    private final SortedMap<String, String> models = new TreeMap<>();

    ModelAliases(Fleet fleet, GatewayConfig config) {
        this.fleet = fleet;
        for (var setting : config.modelAliases().orElse(List.of())) {
            var parts = SETTING.matcher(setting.strip());
            if (!parts.matches()) {
                throw new IllegalArgumentException("gateway.model-aliases: '" + setting + "' is not NAME=MODEL");
            }
            models.put(parts.group(1), parts.group(2));
        }
    }

    /// The whole names.
    public List<String> names() {
        return models.keySet().stream().filter(name -> !name.endsWith(REST)).toList();
    }

    /// The name of the model that is meant. A model that is away for a moment keeps its name.
    public String resolve(String name) {
        if (models.isEmpty() || fleet.mayExist(name)) {
            return name;
        }
        var longest = models.keySet().stream()
                .filter(alias -> alias.endsWith(REST) && name.startsWith(alias.substring(0, alias.length() - 1)))
                .max(Comparator.comparing(String::length));
        return models.getOrDefault(name, longest.map(models::get).orElse(name));
    }

    /// The body of a request, whose `model` is the model that is meant.
    public JsonNode read(byte[] body) {
        return resolved(WireJson.parse(body));
    }

    /// The same body, whose `model` is the model that is meant.
    public JsonNode resolved(JsonNode tree) {
        if (tree instanceof ObjectNode request && request.path("model").isTextual()) {
            request.put("model", resolve(request.path("model").textValue()));
        }
        return tree;
    }
}
