package dev.counterpoint.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import picocli.CommandLine.Option;

/// Members of a request's body, which the suite checks.
final class MemberOptions {
    @Option(
            names = {"--set", "--where"},
            paramLabel = "NAME=VALUE",
            description = "Member of the request as its API names it; several by several options.")
    private Map<String, String> members = Map.of();

    ObjectNode body() {
        var body = JsonNodeFactory.instance.objectNode();
        members.forEach((name, value) -> body.set(name, value(value)));
        if (body.path("scopes").isTextual()) {
            var scopes = body.path("scopes").asText().split(",");
            var list = body.putArray("scopes");
            for (var scope : scopes) {
                list.add(scope);
            }
        }
        return body;
    }

    /// Numbers, true, false, null and JSON as such; all else is text.
    private static JsonNode value(String text) {
        try {
            var tree = SuiteClient.JSON.readTree(text);
            return tree == null || tree.isMissingNode() ? TextNode.valueOf(text) : tree;
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(text);
        }
    }
}
