package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.model.ToolNamespace;
import java.util.List;

/// The two tools gpt-oss was trained with. The wording is part of the format: another wording is another prompt.
public final class BuiltInNamespaces {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private BuiltInNamespaces() {}

    /// `browser.search`, `browser.open` and `browser.find`.
    public static ToolNamespace browser() {
        var description = """
                Tool for browsing.
                The `cursor` appears in brackets before each browsing display: `[{cursor}]`.
                Cite information from the tool using the following format:
                `【{cursor}†L{line_start}(-L{line_end})?】`, for example: `【6†L9-L11】` or `【8†L3】`.
                Do not quote more than 10 words directly from the tool output.
                sources=web (default: web)
                """.strip();
        return new ToolNamespace("browser", description, List.of(search(), open(), find()));
    }

    /// Raw code as body.
    public static ToolNamespace python() {
        var description = """
                Use this tool to execute Python code in your chain of thought. The code will not be shown to the user. \
                This tool should be used for internal reasoning, but not for code that is intended to be visible to \
                the user (e.g. when creating plots, tables, or files).

                When you send a message containing Python code to python, it will be executed in a stateful Jupyter \
                notebook environment. python will respond with the output of the execution or time out after 120.0 \
                seconds. The drive at '/mnt/data' can be used to save and persist user files. Internet access for this \
                session is UNKNOWN. Depends on the cluster.
                """.strip();
        return new ToolNamespace("python", description, List.of());
    }

    private static ToolDescription search() {
        var properties = JSON.objectNode();
        properties.putObject("query").put("type", "string");
        properties.putObject("topn").put("type", "number").put("default", 10);
        properties.putObject("source").put("type", "string");
        return new ToolDescription(
                "search",
                "Searches for information related to `query` and displays `topn` results.",
                object(properties, "query"));
    }

    private static ToolDescription open() {
        var properties = JSON.objectNode();
        properties
                .putObject("id")
                .put("default", -1)
                .putArray("type")
                .add("number")
                .add("string");
        for (String name : List.of("cursor", "loc", "num_lines")) {
            properties.putObject(name).put("type", "number").put("default", -1);
        }
        properties.putObject("view_source").put("type", "boolean").put("default", false);
        properties.putObject("source").put("type", "string");
        var description = """
                Opens the link `id` from the page indicated by `cursor` starting at line number `loc`, showing \
                `num_lines` lines.
                Valid link ids are displayed with the formatting: `【{id}†.*】`.
                If `cursor` is not provided, the most recent page is implied.
                If `id` is a string, it is treated as a fully qualified URL associated with `source`.
                If `loc` is not provided, the viewport will be positioned at the beginning of the document or \
                centered on the most relevant passage, if available.
                Use this function without `id` to scroll to a new location of an opened page.
                """.strip();
        return new ToolDescription("open", description, object(properties));
    }

    private static ToolDescription find() {
        var properties = JSON.objectNode();
        properties.putObject("pattern").put("type", "string");
        properties.putObject("cursor").put("type", "number").put("default", -1);
        return new ToolDescription(
                "find",
                "Finds exact matches of `pattern` in the current page, or the page given by `cursor`.",
                object(properties, "pattern"));
    }

    private static ObjectNode object(ObjectNode properties, String... required) {
        var schema = JSON.objectNode().put("type", "object");
        schema.set("properties", properties);
        for (String name : required) {
            schema.withArray("required").add(name);
        }
        return schema;
    }
}
