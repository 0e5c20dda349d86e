package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A function that the prompt declares, by its bare name.
record DeclaredTool(String name, String description, List<Parameter> parameters) {
    private static final String BEGIN = "\nnamespace functions {";
    private static final String END = "} // namespace functions";
    static final String INPUT = "input";
    private static final String TEXT = "(_: string)";
    private static final String PLAIN = "string plain";
    private static final Pattern CHOICE = Pattern.compile("(?<=\")[^\"|]{1,200}(?=\")");
    private static final int TOOLS_MAX = 128;
    private static final int PARAMETERS_MAX = 64;
    private static final int TEXT_MAX = 1_000;
    private static final Pattern TYPE = Pattern.compile("type (\\S{1,128}) = \\((?:_: string\\) => any;|.{0,10})");
    private static final Pattern PARAMETER =
            Pattern.compile("([^\\s:?/{}|\"][^:?\\s]{0,64})(\\?)?:\\s{0,8}?(.{0,2000}?),?(?: // (.{0,500}))?");

    /// A parameter of the function itself; the members of nested objects are not read.
    ///
    /// @param type in TypeScript, such as `string[]` or `"celsius" | "fahrenheit"`; `{` for an object
    record Parameter(String name, boolean required, String type, String description) {
        /// The values that the type lists, or none.
        private List<String> choices() {
            return PromptWords.found(CHOICE, type);
        }

        /// The argument that a text has for this parameter, or null.
        @Nullable
        JsonNode value(PromptValues values) {
            var number = values.number(name);
            var numbers = values.numbers();
            return PromptWords.tree(
                    switch (kind()) {
                        case "\"" -> values.named(choices());
                        case "string" -> values.text(name, description);
                        case "number" -> number == null && required && !numbers.isEmpty() ? numbers.getFirst() : number;
                        case "boolean" -> values.truth(name);
                        case "string[]" -> values.list(name).isEmpty() ? null : values.list(name);
                        case "number[]" -> numbers.isEmpty() ? null : numbers;
                        default -> null;
                    });
        }

        /// A value of the right type where no text has one.
        @Nullable
        JsonNode empty() {
            return switch (kind()) {
                case "\"" -> PromptWords.tree(choices().getFirst());
                case "string" -> PromptWords.tree("");
                case "number" -> PromptWords.tree(0);
                case "boolean" -> PromptWords.tree(false);
                default -> null;
            };
        }

        /// The first type of a union; a quotation mark for a list of values.
        private String kind() {
            return choices().isEmpty() ? type.split(" ", 2)[0] : "\"";
        }
    }

    /// True if the tool takes plain text in the place of JSON. Its one parameter, [#INPUT], stands for that text.
    boolean plain() {
        return parameters.stream().anyMatch(parameter -> parameter.type().equals(PLAIN));
    }

    /// Reads the functions back from the TypeScript by which a developer message declares them, line by line; none
    /// where the message has no such section.
    static List<DeclaredTool> read(String developerText) {
        int begin = developerText.indexOf(BEGIN);
        int end = begin < 0 ? -1 : developerText.indexOf(END, begin);
        var tools = new ArrayList<DeclaredTool>();
        var comment = new StringBuilder();
        int depth = 0;
        for (var line :
                end < 0 ? new String[0] : developerText.substring(begin, end).split("\n", -1)) {
            var code = line.strip();
            var type = TYPE.matcher(code);
            if (code.startsWith("//")) {
                comment.append(comment.length() < TEXT_MAX && depth < 2 ? code.substring(2) : "");
                continue;
            }
            if (depth > 0 && code.startsWith("}")) {
                depth--;
            } else if (depth == 0 && type.matches() && tools.size() < TOOLS_MAX) {
                tools.add(new DeclaredTool(type.group(1), take(comment), new ArrayList<>()));
                if (code.contains(TEXT)) {
                    tools.getLast().parameters.add(new Parameter(INPUT, true, PLAIN, ""));
                }
            } else if (depth == 1 && !tools.isEmpty()) {
                tools.getLast().add(code, take(comment));
            }
            depth += code.endsWith("{") && !line.startsWith("namespace") ? 1 : 0;
        }
        return tools;
    }

    private void add(String code, String comment) {
        var parameter = PARAMETER.matcher(code);
        if (parameters.size() < PARAMETERS_MAX && parameter.matches()) {
            var remark = parameter.group(4) == null ? "" : " " + parameter.group(4);
            var type = parameter.group(3).strip();
            parameters.add(new Parameter(parameter.group(1), parameter.group(2) == null, type, comment + remark));
        }
    }

    private static String take(StringBuilder comment) {
        var text = comment.substring(0, Math.min(TEXT_MAX, comment.length())).strip();
        comment.setLength(0);
        return text;
    }
}
