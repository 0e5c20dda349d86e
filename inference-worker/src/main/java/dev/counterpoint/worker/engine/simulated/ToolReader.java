package dev.counterpoint.worker.engine.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads functions back from the TypeScript that a developer message declares them in.
final class ToolReader {
    private static final Pattern NAMESPACE =
            Pattern.compile("namespace functions \\{\n(.*?)\n?\\} // namespace functions", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("^type (\\S+) = \\(", Pattern.MULTILINE);
    private static final Pattern FIELD = Pattern.compile("^\\s*([^\\s:?/{}|][^:?]*)(\\?)?:(.*)$");
    private static final String DEFAULT = "default:";

    private final String[] lines;
    private int at;

    private ToolReader(String declaration) {
        this.lines = declaration.split("\n", -1);
    }

    /// The functions of namespace `functions`, in order; none when there is no such section.
    static List<DeclaredTool> read(String developerText) {
        var namespace = NAMESPACE.matcher(developerText);
        var tools = new ArrayList<DeclaredTool>();
        while (namespace.find()) {
            readNamespace(namespace.group(1), tools);
        }
        return tools;
    }

    private static void readNamespace(String body, List<DeclaredTool> tools) {
        var type = TYPE.matcher(body);
        int begin = 0;
        int nameBegin = -1;
        String name = "";
        String description = "";
        while (type.find()) {
            if (nameBegin >= 0) {
                int end = endOfDeclaration(body, nameBegin, type.start());
                tools.add(tool(name, description, body.substring(nameBegin, end)));
                begin = end;
            }
            description = comment(body.substring(begin, type.start()));
            name = type.group(1);
            nameBegin = type.end();
        }
        if (nameBegin >= 0) {
            tools.add(tool(name, description, body.substring(nameBegin)));
        }
    }

    private static int endOfDeclaration(String body, int from, int to) {
        int end = body.lastIndexOf(") => any;", to);
        return end < from ? to : end;
    }

    private static DeclaredTool tool(String name, String description, String declaration) {
        return new DeclaredTool(name, description, new ToolReader(declaration).fields());
    }

    private static String comment(String text) {
        var comment = new StringBuilder();
        for (var line : text.split("\n", -1)) {
            if (line.startsWith("//")) {
                comment.append(line.substring(2).strip()).append(' ');
            }
        }
        return comment.toString().strip();
    }

    /// From the line with the opening brace to the one with its closing.
    private Shape.Fields fields() {
        while (at < lines.length && !lines[at].strip().endsWith("{")) {
            at++;
        }
        at++;
        var fields = new ArrayList<Shape.Field>();
        var comment = new StringBuilder();
        while (at < lines.length && !lines[at].strip().startsWith("}")) {
            var line = lines[at].strip();
            var field = FIELD.matcher(line);
            if (line.startsWith("//")) {
                comment.append(line.substring(2).strip()).append(' ');
                at++;
            } else if (field.matches()) {
                fields.add(field(field.group(1), field.group(2) == null, field.group(3), comment.toString()));
                comment.setLength(0);
            } else {
                at++;
            }
        }
        return new Shape.Fields(fields);
    }

    private Shape.Field field(String name, boolean required, String afterColon, String comment) {
        int note = afterColon.indexOf(" // ");
        var type = (note < 0 ? afterColon : afterColon.substring(0, note)).strip();
        var remark = comment + (note < 0 ? "" : afterColon.substring(note + 4));
        Shape shape;
        if (type.endsWith("{") || (type.isEmpty() && nextOpensObject())) {
            shape = fields();
            var closing = at < lines.length ? lines[at].strip() : "";
            at++;
            if (closing.startsWith("}[]")) {
                shape = new Shape.ListOf(shape, 0, 3);
            }
        } else if (type.isEmpty()) {
            at++;
            shape = variants();
        } else {
            at++;
            shape = simple(type.replaceFirst(",$", ""));
        }
        int given = remark.indexOf(DEFAULT);
        return new Shape.Field(
                name,
                shape,
                required,
                (given < 0 ? remark : remark.substring(0, given)).strip(),
                given < 0
                        ? null
                        : asJson(remark.substring(given + DEFAULT.length()).strip()));
    }

    /// A described object is written `name: // description`, its brace on the next line.
    private boolean nextOpensObject() {
        return at + 1 < lines.length
                && lines[at + 1].strip().endsWith("{")
                && !lines[at + 1].strip().startsWith("|");
    }

    private Shape variants() {
        var shapes = new ArrayList<Shape>();
        while (at < lines.length && lines[at].strip().startsWith("|")) {
            var line = lines[at].strip().substring(1);
            if (line.strip().endsWith("{")) {
                shapes.add(fields());
                at++;
                continue;
            }
            int note = line.indexOf(" // ");
            shapes.add(simple((note < 0 ? line : line.substring(0, note)).strip()));
            at++;
        }
        return shapes.isEmpty() ? new Shape.Any() : new Shape.AnyOf(shapes);
    }

    private static Shape simple(String type) {
        if (type.endsWith("[]")) {
            return new Shape.ListOf(simple(type.substring(0, type.length() - 2)), 0, 10);
        }
        if (type.startsWith("\"")) {
            return choice(type);
        }
        if (type.contains(" | ")) {
            var shapes = new ArrayList<Shape>();
            for (var part : type.split(" \\| ", -1)) {
                shapes.add(simple(part.strip()));
            }
            return new Shape.AnyOf(shapes);
        }
        return switch (type) {
            case "string" -> new Shape.Text(null);
            case "number", "integer" -> new Shape.Numeric(false, null, null);
            case "boolean" -> new Shape.Truth();
            case "null" -> new Shape.Nothing();
            case "Array<any>", "array" -> new Shape.ListOf(new Shape.Any(), 0, 10);
            default -> new Shape.Any();
        };
    }

    private static Shape choice(String type) {
        var values = new ArrayList<String>();
        boolean nullable = false;
        for (var part : type.split(" \\| ", -1)) {
            if (part.equals("null")) {
                nullable = true;
            } else {
                values.add(part.strip());
            }
        }
        var choice = new Shape.Choice(values);
        return nullable ? new Shape.AnyOf(List.of(choice, new Shape.Nothing())) : choice;
    }

    private static @Nullable String asJson(String written) {
        if (written.isEmpty()) {
            return null;
        }
        return Json.parse(written) == null ? Json.quoted(written) : written;
    }
}
