package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.model.ToolNamespace;

/// Writes tools in the references' JSON form.
final class WireTools {
    private WireTools() {}

    static JsonNode json(ToolNamespace namespace) {
        var json = JsonMaker.JSON.objectNode();
        json.put("name", namespace.name());
        json.put("description", namespace.description());
        var tools = json.putArray("tools");
        for (ToolDescription tool : namespace.tools()) {
            tools.addObject()
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .set("parameters", tool.parameters());
        }
        return json;
    }
}
