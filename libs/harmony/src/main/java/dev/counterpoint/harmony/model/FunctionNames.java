package dev.counterpoint.harmony.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The declared functions under the names that the model knows them by, and back. Immutable,
/// thread-safe.
///
/// A function is declared to the model as a TypeScript type, so its name becomes an identifier: other
/// characters confuse the header of a call (vllm#23567, ollama#11704). A name that the model knows as a
/// built-in tool gets another one, because it would be sent raw code instead of arguments
/// (odysseus#5877).
public final class FunctionNames {
    /// No tool of the model's own, but sent raw code like one.
    private static final String SHELL = "bash";

    private static final String INSTEAD_OF_BUILT_IN = "_function";
    /// Content types that models glue to a name (llama.cpp#15102).
    private static final List<String> CONTENT_TYPES = List.of("json", "code");

    private final Map<String, String> aliases = new HashMap<>();
    private final Map<String, String> declared = new HashMap<>();
    private final Set<String> plain;

    /// @param names as declared, in order; equal ones count once
    public FunctionNames(Collection<String> names) {
        this(names, Set.of());
    }

    /// @param names as declared, in order; equal ones count once
    /// @param plain names of those that take plain text in the place of JSON
    public FunctionNames(Collection<String> names, Collection<String> plain) {
        this.plain = Set.copyOf(plain);
        var distinct = new LinkedHashSet<>(names);
        // A name that is an identifier already keeps it, whatever others become.
        distinct.stream().filter(name -> identifier(name).equals(name)).forEach(name -> add(name, name));
        distinct.stream().filter(name -> !aliases.containsKey(name)).forEach(name -> add(name, free(identifier(name))));
    }

    private void add(String name, String alias) {
        aliases.put(name, alias);
        declared.put(alias, name);
    }

    private String free(String wanted) {
        var alias = wanted;
        for (int number = 2; declared.containsKey(alias); number++) {
            alias = wanted + "_" + number;
        }
        return alias;
    }

    /// The name to render: in the declaration, and after `functions.` in calls and results. A name that
    /// is not declared, as in calls of earlier turns, gets an alias too, which may be that of another
    /// function.
    public String alias(String name) {
        return aliases.getOrDefault(name, identifier(name));
    }

    /// The recipient of a call and the name of its result: `functions.` and the alias.
    public String recipient(String name) {
        return ToolNamespace.FUNCTION_PREFIX + alias(name);
    }

    /// True if the function of this declared name takes plain text in the place of JSON.
    public boolean takesPlainText(String name) {
        return plain.contains(name);
    }

    /// The declared function that a recipient means, or null. Models drop or double the namespace, make
    /// up another one, glue the content type to the name, write the name as it was declared, or almost so.
    public @Nullable String resolve(String recipient) {
        var found = named(recipient);
        return found == null ? almost(ToolNamespace.withoutFunctions(recipient)) : found;
    }

    private @Nullable String named(String recipient) {
        var name = ToolNamespace.withoutFunctions(recipient);
        var found = exactly(name);
        if (found == null) {
            found = withoutContentType(name);
        }
        // Of `repo.search` the last part counts: the namespace is made up.
        int dot = name.lastIndexOf('.');
        return found == null && dot >= 0 ? named(name.substring(dot + 1)) : found;
    }

    /// The only function whose name differs in nothing but case and separators.
    private @Nullable String almost(String name) {
        var folded = folded(name);
        var near = aliases.keySet().stream()
                .filter(declared -> folded(declared).equals(folded))
                .toList();
        return near.size() == 1 ? near.getFirst() : null;
    }

    private static String folded(String name) {
        return name.replaceAll("[._-]", "").toLowerCase(Locale.ROOT);
    }

    private @Nullable String exactly(String name) {
        return aliases.containsKey(name) ? name : declared.get(name);
    }

    private @Nullable String withoutContentType(String name) {
        for (String type : CONTENT_TYPES) {
            if (name.endsWith(type)) {
                var found = exactly(name.substring(0, name.length() - type.length()));
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static String identifier(String name) {
        var identifier = new StringBuilder();
        name.codePoints().forEach(c -> {
            if (isLetterOrDigit(c) || c == '_') {
                identifier.append((char) c);
            } else if (c == ' ' || c == '-' || c == '.') {
                identifier.append('_');
            }
        });
        if (identifier.isEmpty() || Character.isDigit(identifier.charAt(0))) {
            identifier.insert(0, '_');
        }
        var text = identifier.toString();
        return BuiltInTools.NAMES.contains(text) || text.equals(SHELL) ? text + INSTEAD_OF_BUILT_IN : text;
    }

    private static boolean isLetterOrDigit(int c) {
        return c < 128 && Character.isLetterOrDigit(c);
    }
}
