package dev.counterpoint.harmony.render;

import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.ResponseFormatSection;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.model.ToolNamespace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The text of system and developer content: sections with a blank line between them.
final class Sections {
    private static final String BETWEEN = "\n\n";
    private static final Comparator<ToolNamespace> BY_NAME = Comparator.comparing(
            namespace -> namespace.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final ReferenceCodec reference;

    Sections(ReferenceCodec reference) {
        this.reference = reference;
    }

    String of(SystemContent content, boolean conversationHasFunctions) {
        var sections = new ArrayList<String>();
        var facts = new ArrayList<String>();
        add(facts, "", content.modelIdentity());
        add(facts, "Knowledge cutoff: ", content.knowledgeCutoff());
        add(facts, "Current date: ", content.conversationStartDate());
        if (!facts.isEmpty()) {
            sections.add(String.join("\n", facts));
        }
        if (content.reasoningEffort() != null) {
            sections.add("Reasoning: " + content.reasoningEffort().wireName());
        }
        if (!content.tools().isEmpty()) {
            sections.add(tools(content.tools()));
        }
        var channels = content.channelConfig();
        if (channels != null && !channels.validChannels().isEmpty()) {
            var line = "# Valid channels: " + String.join(", ", channels.validChannels()) + ".";
            if (channels.channelRequired()) {
                line += " Channel must be included for every message.";
            }
            if (conversationHasFunctions) {
                line += "\nCalls to these tools must go to the commentary channel: 'functions'.";
            }
            sections.add(line);
        }
        return String.join(BETWEEN, sections);
    }

    String of(DeveloperContent content) {
        var sections = new ArrayList<String>();
        if (content.instructions() != null) {
            sections.add("# Instructions");
            sections.add(content.instructions());
        }
        if (!content.tools().isEmpty()) {
            sections.add(tools(content.tools()));
        }
        if (!content.formats().isEmpty()) {
            sections.add("# Response Formats");
            content.formats().stream().map(Sections::format).forEach(sections::add);
        }
        return String.join(BETWEEN, sections);
    }

    private static String format(ResponseFormatSection format) {
        var text = new StringBuilder("## ").append(format.name()).append(BETWEEN);
        if (format.description() != null) {
            lines(format.description())
                    .forEach(line -> text.append("// ").append(line).append('\n'));
        }
        return text.append(format.schema()).toString();
    }

    private static void add(List<String> lines, String label, @Nullable String value) {
        if (value != null) {
            lines.add(label + value);
        }
    }

    private String tools(List<ToolNamespace> namespaces) {
        var sections = new ArrayList<String>();
        sections.add("# Tools");
        namespaces.stream().sorted(BY_NAME).map(this::namespace).forEach(sections::add);
        return String.join(BETWEEN, sections);
    }

    private String namespace(ToolNamespace namespace) {
        var lines = new ArrayList<String>();
        lines.add("## " + namespace.name() + "\n");
        boolean hasTools = !namespace.tools().isEmpty();
        if (namespace.description() != null) {
            for (String line : lines(namespace.description())) {
                lines.add(hasTools ? "// " + line : line);
            }
        }
        if (hasTools) {
            lines.add("namespace " + namespace.name() + " {\n");
            for (ToolDescription tool : namespace.tools()) {
                lines(tool.description()).forEach(line -> lines.add("// " + line));
                var parameters = tool.parameters();
                var argument = parameters == null ? "" : "_: " + SchemaTypes.typeOf(parameters, reference);
                lines.add("type " + tool.name() + " = (" + argument + ") => any;\n");
            }
            lines.add("} // namespace " + namespace.name());
        }
        return String.join("\n", lines);
    }

    /// Lines as Rust sees them: ended by LF or CRLF, without an empty last one. A lone CR is text.
    private static List<String> lines(String text) {
        var lines = new ArrayList<String>();
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            int next = end < 0 ? text.length() : end + 1;
            int to = end < 0 ? text.length() : end > from && text.charAt(end - 1) == '\r' ? end - 1 : end;
            lines.add(text.substring(from, to));
            from = next;
        }
        return lines;
    }
}
