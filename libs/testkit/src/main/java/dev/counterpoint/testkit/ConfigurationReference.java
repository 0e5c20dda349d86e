package dev.counterpoint.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import dev.counterpoint.infra.RepositoryRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// The page `docs/configuration.md`, as far as it is made of config interfaces: for each service one
/// section between two markers, with the name, the values, the default and the comment of every setting. A
/// test of each service compares its section; with `-Dconfiguration=write` the test writes the section
/// instead.
public final class ConfigurationReference {
    private static final String PAGE = "docs/configuration.md";
    private static final String WRITE = "./mvnw -T1 -Dquick test -Dtest='*ConfigTest' -Dconfiguration=write"
            + " -Dsurefire.failIfNoSpecifiedTests=false";
    private static final Pattern LINK = Pattern.compile("\\{@link (?:\\w+\\.)*#?(\\w+)(?:\\(\\))?}");

    private ConfigurationReference() {}

    /// Compares the section of a service with what its config interfaces say, or writes it when told to.
    /// Runs in the folder of the service.
    ///
    /// @param configs interfaces with `@ConfigMapping`, in the order of the page
    /// @throws AssertionError that says the command which writes the page
    public static void check(String service, Class<?>... configs) {
        var page = RepositoryRoot.find().resolve(PAGE);
        try {
            var before = Files.readString(page, UTF_8);
            var after = replaced(before, service, section(configs));
            if ("write".equals(System.getProperty("configuration"))) {
                Files.writeString(page, after, UTF_8);
            } else if (!after.equals(before)) {
                throw new AssertionError("%s is out of date for %s. Write it anew: %s".formatted(PAGE, service, WRITE));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String replaced(String page, String service, String section) {
        var begin = "<!-- generated: " + service + " -->\n";
        var end = "<!-- end of " + service + " -->";
        int from = page.indexOf(begin);
        int to = page.indexOf(end);
        if (from < 0 || to < from) {
            throw new AssertionError("%s needs the lines '%s' and '%s'".formatted(PAGE, begin.strip(), end));
        }
        return page.substring(0, from + begin.length()) + "\n" + section + "\n" + page.substring(to);
    }

    static String section(Class<?>... configs) {
        return Arrays.stream(configs)
                .map(config -> table(config, prefix(config), comments(config)))
                .collect(Collectors.joining("\n"));
    }

    private static String prefix(Class<?> config) {
        return attribute(config.getAnnotations(), "ConfigMapping", "prefix")
                .orElseThrow(() -> new IllegalArgumentException(config + " has no @ConfigMapping"));
    }

    /// One interface as a table, and its groups as tables behind it.
    private static String table(Class<?> config, String prefix, SequencedMap<String, String> comments) {
        var text = new StringBuilder("### `%s`\n\n".formatted(prefix));
        text.append(text(comments.getOrDefault(config.getSimpleName(), ""))).append("\n\n");
        text.append("| setting | values | default | |\n|---|---|---|---|\n");
        var groups = new StringBuilder();
        for (var method : inOrder(config, comments)) {
            var name = prefix + "." + name(method);
            if (method.getReturnType().getDeclaringClass() == config
                    && method.getReturnType().isInterface()) {
                groups.append('\n').append(table(method.getReturnType(), name, comments));
            } else {
                text.append("| `%s` | %s | %s | %s |\n"
                        .formatted(name, values(method), usual(method), text(comments.getOrDefault(key(method), ""))));
            }
        }
        return text.append(groups).toString();
    }

    private static List<Method> inOrder(Class<?> config, SequencedMap<String, String> comments) {
        var methods = Arrays.stream(config.getDeclaredMethods())
                .collect(Collectors.toMap(ConfigurationReference::key, method -> method));
        return comments.sequencedKeySet().stream()
                .filter(methods::containsKey)
                .map(methods::get)
                .toList();
    }

    private static String key(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private static String name(Method method) {
        return attribute(method.getAnnotations(), "WithName", "value").orElseGet(() -> kebab(method.getName()));
    }

    private static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static String values(Method method) {
        var type = method.getReturnType();
        var bounds = Stream.of("Min", "Max")
                .flatMap(bound -> attribute(method.getAnnotations(), bound, "value")
                        .map(value -> (bound.equals("Min") ? "at least " : "at most ") + value)
                        .stream())
                .collect(Collectors.joining(", "));
        var values = type.isEnum()
                ? Arrays.stream(type.getEnumConstants())
                        .map(value -> "`" + kebab(value.toString()).replace('_', '-') + "`")
                        .collect(Collectors.joining(", "))
                : word(method);
        return bounds.isEmpty() ? values : values + ", " + bounds;
    }

    private static String word(Method method) {
        var type = method.getGenericReturnType().getTypeName();
        return switch (type.replaceAll("java\\.(\\w+\\.)+", "")) {
            case "int", "long", "OptionalInt", "OptionalLong" -> "whole number";
            case "double", "OptionalDouble" -> "number";
            case "boolean", "Optional<Boolean>" -> "`true`, `false`";
            case "Duration", "Optional<Duration>" -> "duration";
            case "Path", "Optional<Path>" -> "path";
            case "Optional<Instant>" -> "time";
            case "String", "Optional<String>" -> "text";
            case "List<String>", "Optional<List<String>>" -> "texts, separated by commas";
            case "Optional<List<Path>>" -> "paths, separated by commas";
            default -> throw new IllegalArgumentException("no word for a setting of the type " + type);
        };
    }

    private static String usual(Method method) {
        return attribute(method.getAnnotations(), "WithDefault", "value")
                .map(value -> "`" + value + "`")
                .orElse("");
    }

    /// By name, so that this library needs none of theirs.
    private static Optional<String> attribute(Annotation[] annotations, String name, String attribute) {
        return Arrays.stream(annotations)
                .filter(annotation ->
                        annotation.annotationType().getSimpleName().equals(name))
                .findFirst()
                .map(annotation -> {
                    try {
                        var value =
                                annotation.annotationType().getMethod(attribute).invoke(annotation);
                        return String.valueOf(value);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalArgumentException(e);
                    }
                });
    }

    private static String text(String comment) {
        var line = comment.replaceAll("\\s+", " ").strip().replace("|", "\\|");
        return LINK.matcher(line).replaceAll(link -> "`" + kebab(link.group(1)) + "`");
    }

    /// Comments of an interface and of all that it holds, in the order of the source: an interface by its
    /// simple name, a setting by that and its own.
    private static SequencedMap<String, String> comments(Class<?> config) {
        var name = config.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        var file = Stream.of("src/main/java", "src/test/java")
                .map(root -> Path.of(root, name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no source of " + config + " below src"));
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
            var task = (JavacTask)
                    compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(file));
            var comments = new LinkedHashMap<String, String>();
            var scanner = new Comments(DocTrees.instance(task));
            for (var unit : task.parse()) {
                scanner.scan(unit, comments);
            }
            return comments;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Comments extends TreePathScanner<Void, Map<String, String>> {
        private final DocTrees docs;
        private final List<String> open = new ArrayList<>();

        Comments(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public Void visitClass(ClassTree type, Map<String, String> comments) {
            open.addLast(type.getSimpleName().toString());
            comments.put(open.getLast(), comment());
            super.visitClass(type, comments);
            open.removeLast();
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Map<String, String> comments) {
            comments.put(open.getLast() + "." + method.getName(), comment());
            return null;
        }

        private String comment() {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            return comment == null
                    ? ""
                    : comment.getFullBody().stream().map(Object::toString).collect(Collectors.joining());
        }
    }
}
