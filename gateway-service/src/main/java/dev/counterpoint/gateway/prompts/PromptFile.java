package dev.counterpoint.gateway.prompts;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.MessageRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A prompt in one version: the file `ID/VERSION.json` of the operator's folder, which holds
///
/// ```json
/// {"messages": [{"role": "developer", "content": "Answer as {{persona}} would."}]}
/// ```
///
/// An id has 1 to 64 letters, digits, `_` or `-`; a version is a whole number from 1, and the highest is the usual one.
///
/// @param version as its number is written
/// @param variables that it has, in any message
record PromptFile(String version, List<Message> messages, Set<String> variables) {
    private static final String MESSAGES = "messages";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,8})\\.json");
    private static final Pattern VARIABLE = Pattern.compile("\\{\\{([A-Za-z0-9_]{1,64})}}");

    PromptFile {
        messages = List.copyOf(messages);
        variables = Set.copyOf(variables);
    }

    /// @param content with its variables as `{{name}}`
    record Message(MessageRole role, String content) {
        /// With the variables filled in.
        String filled(Map<String, String> values) {
            return VARIABLE.matcher(content)
                    .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
        }

        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Message[role=" + role + "]";
        }
    }

    /// Reads all prompts of a folder: each by its id and the number of its version.
    ///
    /// @throws IllegalStateException that names the file that is wrong, and why
    static Map<String, NavigableMap<Integer, PromptFile>> readAll(Path folder) {
        var prompts = new TreeMap<String, NavigableMap<Integer, PromptFile>>();
        for (var prompt : list(folder)) {
            var id = prompt.getFileName().toString();
            if (!Files.isDirectory(prompt) || !ID.matcher(id).matches()) {
                throw wrong(prompt, "expected a folder with the id of a prompt as its name");
            }
            var versions = new TreeMap<Integer, PromptFile>();
            for (var file : list(prompt)) {
                var name = NAME.matcher(file.getFileName().toString());
                if (!name.matches()) {
                    throw wrong(file, "expected the number of a version and '.json'");
                }
                versions.put(Integer.parseInt(name.group(1)), read(file, name.group(1)));
            }
            if (versions.isEmpty()) {
                throw wrong(prompt, "the prompt has no version");
            }
            prompts.put(id, versions);
        }
        return prompts;
    }

    private static PromptFile read(Path file, String version) {
        try {
            var tree = WireJson.parse(Files.readAllBytes(file));
            var messages = new ArrayList<Message>();
            var variables = new TreeSet<String>();
            for (var message : tree.path(MESSAGES)) {
                messages.add(message(file, message));
                VARIABLE.matcher(messages.getLast().content)
                        .results()
                        .map(MatchResult::group)
                        .forEach(variable -> variables.add(variable.substring(2, variable.length() - 2)));
            }
            if (tree.size() != 1 || messages.isEmpty()) {
                throw wrong(file, "expected an object with 'messages', a list of at least one, and nothing else");
            }
            return new PromptFile(version, messages, variables);
        } catch (WireException e) {
            throw wrong(file, "it is no JSON");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Message message(Path file, JsonNode message) {
        var role = message.path("role").asText();
        var content = message.path("content");
        if (message.size() != 2 || !content.isTextual()) {
            throw wrong(file, "expected each message to have 'role' and 'content', a text, and nothing else");
        }
        if (VARIABLE.matcher(content.asText()).replaceAll("").contains("{{")) {
            throw wrong(file, "expected '{{' to begin a variable, as in '{{name}}'");
        }
        for (var known : MessageRole.values()) {
            if (known.wireName().equals(role)) {
                return new Message(known, content.asText());
            }
        }
        throw wrong(file, "expected a role to be 'developer', 'system', 'user' or 'assistant'");
    }

    private static List<Path> list(Path folder) {
        try (var entries = Files.list(folder)) {
            return entries.filter(entry -> !entry.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw wrong(folder, "it cannot be listed");
        }
    }

    private static IllegalStateException wrong(Path file, String why) {
        return new IllegalStateException("gateway.prompts: " + file + ": " + why);
    }
}
