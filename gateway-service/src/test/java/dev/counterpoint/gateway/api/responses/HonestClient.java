package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.gateway.reasoning.ReasoningGrant;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.TestBindings;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.Usage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A client that brings a conversation back as clients do, with all that they may change in it. The gateway translates
/// its requests, and a worker seals what the model thought. Not thread-safe.
final class HonestClient {
    private static final String CONTEXT = SealedReasoning.context("tenant", "project", "m");
    private static final Owner OWNER = new Owner("tenant", "project");
    private static final int[] THOUGHT = {200005, 35644, 200008, 40, 2411, 200007};

    private final Random random;
    private final boolean held;
    private final SealedCompactions compactions = new SealedCompactions(TestKeys.of(ServiceRole.GATEWAY));
    private final ArrayNode conversation = WireJson.mapper().createArrayNode();
    private final List<String> open = new ArrayList<>();
    private int stored;
    private int calls;
    private int tools = 1;

    HonestClient(long seed) {
        random = new Random(seed);
        held = random.nextBoolean();
        user();
    }

    /// The blobs that the model is to see in the next request.
    List<String> open() {
        return List.copyOf(open);
    }

    /// Sends the next request. The model thinks, and calls a tool or answers.
    TranslatedRequest step() {
        var translated = translated();
        boolean whole = conversation.size() > stored && random.nextInt(8) == 0;
        if (whole) {
            translated = compacted(translated);
        }
        stored = conversation.size();
        answer(translated.job().reasoning(), whole ? 1 : 0);
        return translated;
    }

    private TranslatedRequest compacted(TranslatedRequest translated) {
        var items = CompactionPlan.of(translated.said().conversation()).with("summary");
        var blob = compactions.seal(items, OWNER);
        conversation.addObject().put("type", "compaction").put("encrypted_content", blob);
        open.clear();
        var made = new Compactions.Compacted(blob, items, true, Usage.of(0, 0, 0, 0));
        return translated.compacted(request(), made, facts(request()));
    }

    private TranslatedRequest translated() {
        var request = request();
        var input = InputItems.own(request.input(), _ -> Optional.empty());
        var earlier = new ArrayList<InputItem>();
        if (held) {
            conversation.forEach(item -> {
                if (earlier.size() < stored) {
                    earlier.add(WireJson.read(item, InputItem.class));
                }
            });
        }
        var before = InputItems.read(InputItems.write(earlier));
        var whole = new ConversationInput(List.of(), before, input, 0, null);
        var said = compactions.unfolded(whole, OWNER);
        return TranslatedRequest.of(EffectiveRequest.of(request, said).request(), input, said, facts(request));
    }

    private TranslatedRequest.Facts facts(CreateResponse request) {
        var goesOn = held && stored > 0 ? "resp_1" : "";
        var terms = GenerationJob.ReasoningTerms.of(CONTEXT).in(goesOn, held ? "resp_1" : "");
        var binding = TestBindings.of(terms, request.tools());
        return new TranslatedRequest.Facts(
                new ReasoningGrant(false, null),
                binding,
                one("2026-11-29", "2026-11-30"),
                false,
                ImageSources.NONE,
                true);
    }

    private CreateResponse request() {
        var request = WireJson.mapper().createObjectNode().put("model", "m");
        request.put("instructions", held ? one("Be brief.", "Be nice.") : "Be brief.");
        request.put("truncation", one("auto", "disabled")).put("tool_choice", one("auto", "none"));
        request.putObject("reasoning").put("effort", one("low", "high"));
        var text = request.putObject("text").put("verbosity", one("low", "high"));
        if (random.nextBoolean()) {
            text.putObject("format").put("type", "json_schema").put("name", "n").putObject("schema");
        }
        tools += random.nextInt(2);
        var declared = request.putArray("tools");
        for (int i = tools; i > 0; i--) {
            var tool = declared.addObject().put("type", "function").put("name", "add" + i);
            tool.putObject("parameters").put(one("type", "title"), "object").removeAll();
        }
        var input = request.putArray("input");
        for (int i = held ? stored : 0; i < conversation.size(); i++) {
            input.add(conversation.get(i));
        }
        return WireJson.read(request, CreateResponse.class);
    }

    private void answer(GenerationJob.ReasoningTerms terms, int first) {
        var response = ResponseId.create(1, 1);
        int runs = 1 + random.nextInt(2);
        boolean ends = random.nextInt(4) == 0;
        for (int run = 0; run < runs; run++) {
            int index = first + 2 * run;
            var item = conversation.addObject().put("type", "reasoning");
            item.putArray("summary");
            if (random.nextBoolean()) {
                item.put("id", random.nextBoolean() ? response.reasoningItem(index) : "");
            }
            var blob = seal(terms, response.reasoningItem(index));
            item.put("encrypted_content", blob);
            open.add(blob);
            if (run < runs - 1) {
                var said = conversation.addObject().put("type", "message").put("role", "assistant");
                said.put("content", "Let me see.");
                said.put("phase", ends || random.nextBoolean() ? "commentary" : null);
            }
        }
        if (ends) {
            conversation.addObject().put("role", "assistant").put("content", "Done.");
            open.clear();
            user();
        } else {
            call();
        }
    }

    private void call() {
        var id = "call_" + calls++;
        conversation
                .addObject()
                .put("type", "function_call")
                .put("call_id", id)
                .put("name", "add1")
                .put("arguments", "{\"b\":1.0,\"a\":\"\\u00e4\"}");
        conversation
                .addObject()
                .put("type", "function_call_output")
                .put("call_id", id)
                .put("output", "sum " + calls);
        if (random.nextInt(4) == 0) {
            user();
        }
        if (random.nextInt(4) == 0) {
            var more = conversation.addObject().put("type", "additional_tools").put("role", "developer");
            more.putArray("tools").addObject().put("type", "function").put("name", "more");
        }
        if (!held) {
            conversation.forEach(this::rewrite);
        }
    }

    /// Frameworks read arguments and write them anew.
    private void rewrite(JsonNode item) {
        if (item instanceof ObjectNode call && call.has("arguments")) {
            call.put("arguments", one("{\"a\":\"ä\",\"b\":1}", "{ \"b\" : 1e0, \"a\" : \"\\u00E4\" }"));
        }
    }

    private void user() {
        conversation.addObject().put("role", "user").put("content", "question " + conversation.size());
    }

    /// Gateway and worker are of this version or of the last.
    private String seal(GenerationJob.ReasoningTerms terms, String item) {
        var now = System.currentTimeMillis() + 60_000;
        var header = switch (random.nextInt(4)) {
            case 0 -> new SealedReasoning.Header(now, 6, terms.conversation());
            case 1 -> new SealedReasoning.Header(now, 6, terms.conversation(), "m", item, ReasoningBond.NONE);
            default -> new SealedReasoning.Header(now, 6, terms.conversation(), "m", item, terms.bond());
        };
        var blob = SealedReasoning.seal(THOUGHT, header, CONTEXT, TestKeys.of(ServiceRole.WORKER));
        // The last version's way to read it
        SealedReasoning.check(
                blob,
                new SealedReasoning.Turn(CONTEXT, terms.heldConversation()),
                System.currentTimeMillis(),
                TestKeys.of(ServiceRole.GATEWAY));
        return blob;
    }

    private String one(String first, String second) {
        return random.nextBoolean() ? first : second;
    }

    @Override
    public String toString() {
        return new String(WireJson.writeBytes(conversation), StandardCharsets.UTF_8);
    }
}
