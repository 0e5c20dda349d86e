package dev.counterpoint.openai;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.error.ErrorBody;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.models.Model;
import dev.counterpoint.openai.models.ModelList;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.ResponseObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Finds every leaf of every sealed family in the compiled library, so that no new one escapes the tests.
public final class WireTypes {
    private WireTypes() {}

    /// A type to read, what reading must give, and the file that shows it.
    public record Golden(Class<?> root, Class<?> leaf) {
        public String name() {
            var home = root.getPackageName().substring("dev.counterpoint.openai.".length());
            if (root == leaf) {
                return home + "/" + root.getSimpleName();
            }
            var tag = leaf.getAnnotation(JsonTypeName.class);
            return home + "/" + root.getSimpleName() + "/" + (tag == null ? leaf.getSimpleName() : tag.value());
        }

        /// @throws AssertionError when the file is missing
        public byte[] bytes() {
            try (var file = WireTypes.class.getResourceAsStream("/golden/" + name() + ".json")) {
                if (file == null) {
                    throw new AssertionError(leaf + " has no golden/" + name() + ".json");
                }
                return file.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return name();
        }
    }

    /// The leaves of all families, and the objects that travel on their own.
    public static Stream<Golden> goldens() {
        var leaves = families().flatMap(root -> leaves(root).map(leaf -> new Golden(root, leaf)));
        var objects = Stream.of(
                        CreateResponse.class,
                        ResponseObject.class,
                        ChatRequest.class,
                        ChatCompletion.class,
                        ChatChunk.class,
                        Model.class,
                        ModelList.class,
                        ErrorBody.class)
                .map(type -> new Golden(type, type));
        return Stream.concat(leaves, objects);
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed() ? Stream.of(type.getPermittedSubclasses()).flatMap(WireTypes::leaves) : Stream.of(type);
    }

    private static Stream<Class<?>> families() {
        return classes()
                .filter(type -> type.isInterface()
                        && type.isSealed()
                        && type.getInterfaces().length == 0
                        && !type.getPackageName().endsWith(".json")
                        && !type.getPackageName().endsWith(".judge"));
    }

    private static Stream<Class<?>> classes() {
        try {
            var source = WireJson.class.getProtectionDomain().getCodeSource();
            var home = Path.of(source.getLocation().toURI());
            return Files.walk(home)
                    .filter(file -> file.toString().endsWith(".class") && !file.endsWith("package-info.class"))
                    .map(file -> home.relativize(file).toString())
                    .map(file -> load(file.substring(0, file.length() - 6).replace('/', '.')));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
