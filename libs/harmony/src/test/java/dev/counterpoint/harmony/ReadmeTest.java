package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repair;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.Stop;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The README's examples compile, run and do what they say: its code stands in this file, word for word.
class ReadmeTest {
    @Test
    void rendersAPrompt() {
        var weather = new ToolDescription(
                "weather",
                "Today's weather.",
                JsonNodeFactory.instance.objectNode().put("type", "object"));

        var system = SystemContent.defaults().withReasoningEffort(ReasoningEffort.LOW);
        var conversation = Conversation.of(
                Message.system(system),
                Message.developer(DeveloperContent.withFunctions("Answer briefly.", List.of(weather))),
                Message.user("Is it raining in Oslo?"));
        var renderer = new HarmonyRenderer(HarmonyTokenizer.shared(), RenderOptions.production());
        int[] prompt = renderer.renderForCompletion(conversation, Role.ASSISTANT);

        assertThat(HarmonyTokenizer.shared().decode(prompt))
                .contains("type weather = (_: {", "Reasoning: low")
                .endsWith("<|start|>user<|message|>Is it raining in Oslo?<|end|><|start|>assistant");
        assertThat(HarmonyParser.parsePrompt(prompt)).hasSize(3);
    }

    @Test
    void parsesAStream() {
        var sampled = SpokenTokens.of(
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>No.<|return|>");
        var out = new StringBuilder();
        var mistakes = new ArrayList<Repair>();

        var parser = new HarmonyParser(Role.ASSISTANT);
        Consumer<HarmonyEvent> sink = event -> {
            switch (event) {
                case MessageStarted started -> out.append(started.channel()).append(": ");
                case TextDelta(String text) -> out.append(text);
                case MessageEnded(Stop stop) -> out.append(" ").append(stop).append("\n");
                case Repaired(Repair kind) -> mistakes.add(kind);
            }
        };
        for (int token : sampled) {
            parser.accept(token, sink);
        }
        parser.finish(sink);

        assertThat(out).hasToString("analysis: Hm. END\nfinal: No. RETURN\n");
        assertThat(mistakes).isEmpty();
    }

    @Test
    void countsTokens() {
        int tokens = HarmonyTokenizer.shared().countTokens("Is it raining in Oslo?");

        assertThat(tokens).isEqualTo(6);
    }

    @Test
    void theReadmeHoldsTheCodeOfThisFile() throws IOException {
        var source = withoutIndents(Files.readString(
                Path.of("src/test/java", ReadmeTest.class.getName().replace('.', '/') + ".java")));
        var examples = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("README.md")))
                .results()
                .map((MatchResult block) -> withoutIndents(block.group(1)))
                .toList();
        assertThat(examples).hasSize(3).allSatisfy(example -> assertThat(source).contains(example));
    }

    private static String withoutIndents(String code) {
        return code.replaceAll("(?m)^ +", "");
    }
}
