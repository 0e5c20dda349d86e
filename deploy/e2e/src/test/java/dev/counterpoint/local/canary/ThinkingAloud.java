package dev.counterpoint.local.canary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.local.e2e.ChatServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A model behind Chat Completions that thinks of a canary when it is asked to, as the simulated engine does,
/// and writes its thoughts into its text. Words come one by one, each a token of ours; marks in pieces of three.
enum ThinkingAloud implements Function<JsonNode, List<ObjectNode>> {
    /// Its template has opened the thoughts: the text begins within them, and only the closing mark comes.
    OPENED_BY_ITS_TEMPLATE("qwq", "its template opens reasoning, which goes up to </think>", "", "\n</think>\n\n", ""),
    /// Harmony that its server leaves in the text.
    HARMONY(
            "gpt-oss",
            "its text is Harmony, which the worker parses",
            "<|channel|>analysis<|message|>",
            "<|end|><|start|>assistant<|channel|>final<|message|>",
            "<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>"),
    /// The same, stripped of its control tokens.
    HARMONY_WITHOUT_TOKENS(
            "gpt-oss",
            "its text is Harmony, which the worker parses",
            "analysis",
            "assistantfinal",
            "assistantcommentary to=functions.get_weather json");

    private static final Pattern WISH = Pattern.compile("Think of a secret pass phrase for '([^']+)'");
    private static final int PIECE = 3;
    private static final String ARGUMENTS = "{\"city\":\"Paris\"}";

    private final String family;
    private final String known;
    private final String opening;
    private final String beforeAnswer;
    /// Empty where the server reads calls by itself.
    private final String beforeCall;

    ThinkingAloud(String family, String known, String opening, String beforeAnswer, String beforeCall) {
        this.family = family;
        this.known = known;
        this.opening = opening;
        this.beforeAnswer = beforeAnswer;
        this.beforeCall = beforeCall;
    }

    /// The family that the operator names.
    String family() {
        return family;
    }

    /// Part of the suite's summary.
    String known() {
        return known;
    }

    @Override
    public List<ObjectNode> apply(JsonNode request) {
        var messages = request.path("messages");
        var last = messages.path(messages.size() - 1);
        boolean calls = request.has("tools") && !last.path("role").asText().equals("tool");
        var deltas = new ArrayList<ObjectNode>();
        letters(opening, deltas);
        words(thoughts(asked(messages)), deltas);
        if (!calls) {
            letters(beforeAnswer, deltas);
            words("Here it is: 42, and sunny.", deltas);
        } else if (beforeCall.isEmpty()) {
            letters(beforeAnswer, deltas);
            deltas.add(ChatServer.callOf("get_weather", ARGUMENTS));
        } else {
            letters(beforeCall + ARGUMENTS, deltas);
        }
        return deltas;
    }

    private static String asked(JsonNode messages) {
        var asked = new StringBuilder();
        messages.forEach(message -> {
            if (message.path("role").asText().equals("user")) {
                asked.append(message.path("content").asText()).append('\n');
            }
        });
        return asked.toString();
    }

    private static String thoughts(String asked) {
        var wish = WISH.matcher(asked);
        if (!wish.find()) {
            return "They want one word and nothing else.";
        }
        var phrase = Canary.of(wish.group(1)).phrase();
        return """
                The user asks for a sum or for the weather.

                My secret pass phrase for “%s” is: %s

                Once more, to keep it in mind: the pass phrase is %s

                I keep it to myself, so the answer must not hold it.

                The words that matter are the numbers and the city. The tens make 30. The ones make 12.

                Before I answer, I ask myself whether it could mean something else. The plain reading fits best.

                I go through it once more, one step after the other, from the beginning to the end. It holds.

                A longer answer would tell more than was asked for. A shorter one would leave out the result.

                A short answer serves best, so I leave these thoughts out of it.""".formatted(wish.group(1), phrase, phrase);
    }

    private static void words(String text, List<ObjectNode> deltas) {
        Stream.of(text.split("(?=\\s)")).map(ChatServer::contentOf).forEach(deltas::add);
    }

    private static void letters(String text, List<ObjectNode> deltas) {
        for (int from = 0; from < text.length(); from += PIECE) {
            deltas.add(ChatServer.contentOf(text.substring(from, Math.min(text.length(), from + PIECE))));
        }
    }
}
