package dev.counterpoint.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import dev.counterpoint.openai.json.WireJson;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Names the members of a request without an effect in the answer's `x-counterpoint-ignored`: unknown members, and
/// known ones that do nothing. So nothing is ignored silently.
public final class IgnoredFields {
    static final String HEADER = "x-counterpoint-ignored";
    private static final int NAMES_MAX = 32;
    private static final int CHARACTERS_MAX = 96;
    private static final ClassValue<Set<String>> MEMBERS = new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents())
                    .map(component -> SnakeCaseStrategy.INSTANCE.translate(component.getName()))
                    .collect(Collectors.toUnmodifiableSet());
        }
    };

    private IgnoredFields() {}

    /// Reads a body, and tells what of it is not used.
    ///
    /// @param withoutEffect paths of what is read and then does nothing
    /// @throws dev.counterpoint.openai.json.WireException that names the member at fault
    public static <T extends Record> T read(
            JsonNode tree, Class<T> type, Function<T, Set<String>> withoutEffect, RoutingContext http) {
        var request = read(tree, type);
        var ignored = find(tree, request, withoutEffect.apply(request));
        if (!ignored.isEmpty()) {
            AnswerHeaders.put(http, HEADER, text(ignored));
        }
        return request;
    }

    /// Reads a body whose answer has no headers that could name what is not used.
    public static <T extends Record> T read(JsonNode tree, Class<T> type) {
        BodyRules.check(tree);
        return WireJson.read(tree, type);
    }

    /// Reads a body of a type whose every member has an effect.
    public static <T extends Record> T read(byte[] body, Class<T> type, RoutingContext http) {
        return read(WireJson.parse(body), type, _ -> Set.of(), http);
    }

    /// Paths such as `tools[0].colour`, in the order of the body.
    static List<String> find(JsonNode body, Record request, Set<String> withoutEffect) {
        var ignored = new ArrayList<String>();
        var known = MEMBERS.get(request.getClass());
        var read = WireJson.namedTree(request);
        body.properties().forEach(member -> {
            var name = member.getKey();
            if (known.contains(name)) {
                compare(name, member.getValue(), read.path(name), new Ignored(withoutEffect, ignored));
            } else if (!member.getValue().isNull()) {
                ignored.add(name);
            }
        });
        return ignored;
    }

    private record Ignored(Set<String> withoutEffect, List<String> paths) {}

    /// Compares the body with the request written back: a member that no record has a component for is missing
    /// there.
    private static void compare(String path, JsonNode sent, JsonNode read, Ignored ignored) {
        if (sent.isNull()) {
            return;
        }
        if (ignored.withoutEffect.contains(path)) {
            ignored.paths.add(path);
        } else if (sent.isObject() && read.isObject()) {
            sent.properties().forEach(member -> {
                var name = path + "." + member.getKey();
                if (read.has(member.getKey())) {
                    compare(name, member.getValue(), read.get(member.getKey()), ignored);
                } else if (!member.getValue().isNull()) {
                    ignored.paths.add(name);
                }
            });
        } else if (sent.isArray() && read.isArray()) {
            for (int i = 0; i < Math.min(sent.size(), read.size()); i++) {
                compare(path + "[" + i + "]", sent.get(i), read.get(i), ignored);
            }
        }
    }

    /// Clients choose the names, so they are short, few and of harmless characters.
    static String text(List<String> names) {
        var shown = names.stream().limit(NAMES_MAX).map(IgnoredFields::harmless).collect(Collectors.joining(", "));
        return names.size() > NAMES_MAX ? shown + ", +" + (names.size() - NAMES_MAX) : shown;
    }

    private static String harmless(String name) {
        var bounded = name.length() <= CHARACTERS_MAX ? name : name.substring(0, CHARACTERS_MAX) + "...";
        return bounded.replaceAll("[^A-Za-z0-9_.\\[\\]-]", "_");
    }
}
