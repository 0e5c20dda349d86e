package dev.counterpoint.gateway.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.gateway.request.BoundPrompt;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.PromptBuilder;
import dev.counterpoint.gateway.request.TestBindings;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Clients that bring reasoning back, or leave that to the gateway, and write arguments anew.
class HonestChatTest {
    private static final String CONTEXT = SealedReasoning.context("tenant", "project", "m");
    private static final int CLIENTS = 300;
    private static final int STEPS = 8;

    private final Map<String, List<String>> kept = new HashMap<>();
    private final List<String> open = new ArrayList<>();
    private ObjectNode request = WireJson.mapper().createObjectNode();
    private Random random = new Random();

    @Test
    void anHonestClientNeverLosesReasoningOfTheOpenTurn() {
        int compared = 0;
        for (int seed = 0; seed < CLIENTS; seed++) {
            begin(seed);
            for (int step = 0; step < STEPS; step++) {
                // When
                var prompt = prompt();
                // Then
                var shown = prompt.items().stream()
                        .filter(PromptItem.Sealed.class::isInstance)
                        .map(item -> ((PromptItem.Sealed) item).blob())
                        .toList();
                assertThat(shown).as("seed %d: %s", seed, request).isEqualTo(open);
                assertThat(prompt.removed())
                        .allMatch(removed -> removed.reason().equals("turn_boundary"));
                assertThat(prompt.removal().orElse("reasoning_removed"))
                        .startsWith("reasoning_removed")
                        .doesNotContain("mismatch");
                compared += shown.size();
                answer(prompt.bond(), step);
            }
        }
        assertThat(compared).isGreaterThan(CLIENTS * STEPS / 2);
    }

    private void begin(int seed) {
        random = new Random(seed);
        open.clear();
        kept.clear();
        request = WireJson.mapper().createObjectNode().put("model", "m");
        request.putArray("tools")
                .addObject()
                .put("type", "function")
                .putObject("function")
                .put("name", "add");
        messages().addObject().put("role", "system").put("content", "Be brief.");
        messages().addObject().put("role", "user").put("content", "2+2?");
    }

    private ArrayNode messages() {
        return request.withArray("/messages");
    }

    private BoundPrompt prompt() {
        var asked = WireJson.read(request, ChatRequest.class);
        var prompt = new PromptBuilder(PromptBuilder.Api.CHAT, Set.of(), ImageSources.NONE);
        if (random.nextBoolean()) {
            prompt.wish("Answer briefly.");
        }
        prompt.begin();
        new ChatMessages(false, calls -> kept.getOrDefault(calls.getFirst(), List.of())).add(asked.messages(), prompt);
        return prompt.build(TestBindings.of(GenerationJob.ReasoningTerms.of(CONTEXT), asked.tools()));
    }

    private void answer(ReasoningBond bond, int step) {
        var message = messages().addObject().put("role", "assistant");
        var response = ResponseId.create(1, 1);
        var blobs = new ArrayList<String>();
        for (int run = random.nextInt(2); run < 2; run++) {
            var header = new SealedReasoning.Header(
                    System.currentTimeMillis() + 60_000,
                    1,
                    "",
                    "m",
                    response.reasoningItem(2 * run),
                    random.nextInt(4) == 0 ? ReasoningBond.NONE : bond);
            blobs.add(SealedReasoning.seal(new int[] {run}, header, CONTEXT, TestKeys.of(ServiceRole.WORKER)));
        }
        boolean answers = random.nextInt(4) == 0;
        if (answers || random.nextBoolean()) {
            var details = message.putArray("reasoning_details");
            blobs.forEach(blob ->
                    details.addObject().put("type", "reasoning.encrypted").put("data", blob));
        }
        if (answers) {
            message.put("content", "4");
            open.clear();
            messages().addObject().put("role", "user").put("content", "And " + step + "?");
            return;
        }
        open.addAll(blobs);
        var call = "call_" + step;
        kept.put(call, blobs);
        var function = message.put("content", random.nextBoolean() ? "Let me see." : null)
                .putArray("tool_calls")
                .addObject()
                .put("id", call)
                .put("type", "function")
                .putObject("function");
        function.put("name", "add").put("arguments", "{\"b\":1.0,\"a\":\"\\u00e4\"}");
        messages().addObject().put("role", "tool").put("tool_call_id", call).put("content", "sum " + step);
        request.findParents("arguments")
                .forEach(each -> ((ObjectNode) each)
                        .put(
                                "arguments",
                                random.nextBoolean()
                                        ? "{\"a\":\"ä\",\"b\":1}"
                                        : "{ \"b\" : 1e0, \"a\" : \"\\u00E4\" }"));
    }
}
