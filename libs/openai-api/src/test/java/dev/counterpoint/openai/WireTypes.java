package dev.counterpoint.openai;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatCompletionDeleted;
import dev.counterpoint.openai.chat.ChatCompletionList;
import dev.counterpoint.openai.chat.ChatCompletionUpdate;
import dev.counterpoint.openai.chat.ChatMessageList;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.conversations.AddItems;
import dev.counterpoint.openai.conversations.ConversationDeleted;
import dev.counterpoint.openai.conversations.ConversationObject;
import dev.counterpoint.openai.conversations.CreateConversation;
import dev.counterpoint.openai.conversations.UpdateConversation;
import dev.counterpoint.openai.error.ErrorBody;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.json.WireNames;
import dev.counterpoint.openai.models.Model;
import dev.counterpoint.openai.models.ModelDeleted;
import dev.counterpoint.openai.models.ModelList;
import dev.counterpoint.openai.responses.CompactRequest;
import dev.counterpoint.openai.responses.CompactedResponse;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputTokens;
import dev.counterpoint.openai.responses.InputTokensRequest;
import dev.counterpoint.openai.responses.ItemList;
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
    ///
    /// @param tag what leads to the leaf, or its own name where nothing does
    public record Golden(Class<?> root, Class<?> leaf, String tag) {
        public String name() {
            var family =
                    root.getPackageName().substring("dev.counterpoint.openai.".length()) + "/" + root.getSimpleName();
            return root == leaf ? family : family + "/" + tag;
        }

        /// A leaf with more than one tag has one file, under its first.
        ///
        /// @throws AssertionError when the file is missing
        public byte[] bytes() {
            var many = leaf.getAnnotation(WireNames.class);
            if (many == null || many.value()[0].equals(tag)) {
                return file(name());
            }
            var first = new Golden(root, leaf, many.value()[0]);
            var json = (ObjectNode) WireJson.parse(first.bytes());
            return WireJson.writeBytes(json.put("type", tag));
        }

        private byte[] file(String name) {
            try (var file = WireTypes.class.getResourceAsStream("/golden/" + name + ".json")) {
                if (file == null) {
                    throw new AssertionError(leaf + " has no golden/" + name + ".json");
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
        var leaves = families()
                .flatMap(root -> leaves(root).flatMap(leaf -> tags(leaf).map(tag -> new Golden(root, leaf, tag))));
        var objects = Stream.of(
                        CreateResponse.class,
                        ResponseObject.class,
                        ChatRequest.class,
                        ChatCompletion.class,
                        ChatChunk.class,
                        ChatCompletionList.class,
                        ChatMessageList.class,
                        ChatCompletionUpdate.class,
                        ChatCompletionDeleted.class,
                        ModelDeleted.class,
                        CompactRequest.class,
                        CompactedResponse.class,
                        InputTokens.class,
                        InputTokensRequest.class,
                        ItemList.class,
                        AddItems.class,
                        ConversationObject.class,
                        ConversationDeleted.class,
                        CreateConversation.class,
                        UpdateConversation.class,
                        Model.class,
                        ModelList.class,
                        ErrorBody.class)
                .map(type -> new Golden(type, type, ""));
        return Stream.concat(leaves, objects);
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed() ? Stream.of(type.getPermittedSubclasses()).flatMap(WireTypes::leaves) : Stream.of(type);
    }

    private static Stream<String> tags(Class<?> leaf) {
        var many = leaf.getAnnotation(WireNames.class);
        var one = leaf.getAnnotation(JsonTypeName.class);
        return many != null ? Stream.of(many.value()) : Stream.of(one != null ? one.value() : leaf.getSimpleName());
    }

    private static Stream<Class<?>> families() {
        return classes()
                .filter(type -> type.isInterface()
                        && type.isSealed()
                        && Stream.of(type.getInterfaces()).noneMatch(Class::isSealed)
                        && !type.getPackageName().endsWith(".json"));
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
