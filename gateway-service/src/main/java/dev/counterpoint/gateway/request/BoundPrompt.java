package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputTransformation;
import dev.counterpoint.prompt.AsyncResult;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A conversation for a model, and the bond of the reasoning that the model makes now. Sealed reasoning that does not
/// open here is refused; what opens and does not fit is left out and listed. Not thread-safe.
public final class BoundPrompt {
    private static final Set<String> SHOWN_TOOLS = Set.of("function", "custom", "namespace");
    private static final int NAME_BYTES = 4;

    private final Binding binding;
    private final ReasoningBond.Digests digests;
    private final boolean held;
    private final SortedMap<String, String> tools = new TreeMap<>();
    private final Map<String, ByteString> names = new HashMap<>();
    private List<PromptItem> items = new ArrayList<>();
    private final List<InputTransformation> removed = new ArrayList<>();
    /// Hashes of the first items of the conversation, by their number.
    private final List<byte[]> prefixes = new ArrayList<>(List.of(new byte[0]));

    private byte[] instructions = {};
    private int asked;
    private boolean expired;

    /// What a request binds its reasoning to beside the conversation.
    ///
    /// @param terms owner and conversation
    /// @param user the end user, or null
    /// @param tools that the request itself declares, or null
    public record Binding(
            KeyRing keys,
            InstantSource clock,
            ReasoningTerms terms,
            @Nullable String user,
            @Nullable List<?> tools) {
        @Override
        public String toString() {
            return "Binding[" + terms.bond() + "]";
        }
    }

    /// A blob in its place.
    ///
    /// @param id of the item, or null
    /// @param param of a caller's blob; null for one that we kept
    /// @param open whether it stands after the last answer
    record Blob(String text, @Nullable String id, @Nullable String param, boolean open) {
        Blob {
            id = id == null || id.isEmpty() ? null : id;
        }
    }

    BoundPrompt(Binding binding) {
        this.binding = binding;
        digests = new ReasoningBond.Digests(binding.keys, binding.terms.context());
        held = !binding.terms.heldConversation().isEmpty();
        if (!held) {
            Objects.requireNonNullElse(binding.tools, List.of()).forEach(tool -> declare(WireJson.tree(tool)));
        }
    }

    /// What the model is shown.
    public List<PromptItem> items() {
        return items;
    }

    /// The sealed reasoning that it is not shown, in the order of the input.
    public List<InputTransformation> removed() {
        return removed;
    }

    /// A warning where reasoning of the open turn is too old.
    public Optional<String> expiry() {
        return Optional.of("reasoning_expired: some reasoning of the request's open turn is too old, so the model does"
                        + " not see it.")
                .filter(_ -> expired);
    }

    /// A warning that names what was removed, for an API without `input_transformations`.
    public Optional<String> removal() {
        return Optional.of(removed.stream()
                        .map(each -> each.id() + " (" + each.reason() + ")")
                        .collect(Collectors.joining(
                                ", ",
                                "reasoning_removed: the model does not see this reasoning of the request: ",
                                ".")))
                .filter(_ -> !removed.isEmpty());
    }

    /// The bond of new reasoning.
    public ReasoningBond bond() {
        var bond = BusProto.ReasoningBond.newBuilder()
                .setUser(digests.of("user", bytes(binding.user)))
                .setItems(digests.of("items", prefixes.getLast()))
                .setCount(prefixes.size() - 1);
        if (!held) {
            var declared = tools.keySet().stream().map(names::get).reduce(ByteString.EMPTY, ByteString::concat);
            bond.setTools(declared).setSetting(digests.of("setting", setting(tools)));
        }
        return new ReasoningBond(bond.build());
    }

    void show(PromptItem item) {
        items.add(item);
    }

    /// Tells of calls whose results come later or never; to that nothing is bound.
    ///
    /// @param async ids of such calls
    void tell(Set<String> async) {
        items = AsyncResult.told(items, async);
    }

    /// Binds to an item as well, unless that is reasoning.
    ///
    /// @param conversation whether it is part of the conversation, else of the setting before it
    void bind(PromptItem item, boolean conversation) {
        switch (item) {
            case PromptItem.Reasoning _, PromptItem.Sealed _, PromptItem.Retold _ -> {}
            case PromptItem.Assistant _, PromptItem.Call _, PromptItem.CallOutput _ ->
                bind(item.encode(), conversation);
            case PromptItem.Instructions _, PromptItem.User _, PromptItem.Illustrated _ -> {
                bind(item.encode(), conversation);
                asked = prefixes.size() - 1;
            }
        }
    }

    private void bind(byte[] item, boolean conversation) {
        if (conversation) {
            prefixes.add(hash(prefixes.getLast(), item));
        } else {
            instructions = hash(instructions, item);
        }
    }

    /// @return true if the model sees it
    /// @throws WireException for a caller's blob that does not open
    boolean fits(Blob blob) {
        SealedReasoning.Header header;
        try {
            header = SealedReasoning.header(blob.text, binding.terms.context(), binding.keys);
        } catch (SealException e) {
            if (blob.param == null) {
                return false;
            }
            var mistake = TurnEnding.Mistake.INVALID_ENCRYPTED_CONTENT;
            throw new WireException(blob.param, mistake.code(), mistake.message());
        }
        var reason = misfit(header, blob);
        // Nobody expects that the model sees what we keep of closed turns.
        if (reason != null && (blob.open || blob.param != null)) {
            var known = header.item().isEmpty() ? Objects.requireNonNullElse(blob.param, "reasoning") : header.item();
            removed.add(InputTransformation.ofReasoning(Objects.requireNonNullElse(blob.id, known), reason));
        }
        return reason == null;
    }

    private @Nullable String misfit(SealedReasoning.Header header, Blob blob) {
        var terms = binding.terms;
        if (!digests.fits(header.bond().message().getUser(), "user", bytes(binding.user))) {
            return "end_user_mismatch";
        }
        if (!header.model().isEmpty() && !header.model().equals(SealedReasoning.model(terms.context()))) {
            return "model_mismatch";
        }
        boolean sameConversation = !held || terms.heldConversation().equals(header.conversation());
        if (!sameConversation
                || isOther(header.item(), blob)
                || !fitsPlace(header.bond().message())) {
            return "prefix_mismatch";
        }
        boolean late = header.expiresAtMillis() < binding.clock.millis();
        expired |= late && blob.open;
        return late || !blob.open ? "turn_boundary" : null;
    }

    /// What we keep of an input has ids of its own.
    private static boolean isOther(String item, Blob blob) {
        return blob.param != null
                && blob.id != null
                && !item.isEmpty()
                && !item.equals(blob.id)
                && TurnIds.parseInput(blob.id).isEmpty();
    }

    /// Between the prefix and the reasoning stands nothing but the output that the reasoning is a part of. Tools may
    /// have been added since.
    private boolean fitsPlace(BusProto.ReasoningBond bond) {
        if (bond.getItems().isEmpty()) {
            return true;
        }
        int count = (int) bond.getCount();
        return count < prefixes.size()
                && asked <= count
                && digests.fits(bond.getItems(), "items", prefixes.get(count))
                && (held || digests.fits(bond.getSetting(), "setting", setting(toolsOf(bond.getTools()))));
    }

    /// The tools that were declared then; all of today's where these cannot be found among them.
    private SortedMap<String, String> toolsOf(ByteString then) {
        var declared = new HashSet<ByteString>();
        for (int at = 0; at < then.size(); at += NAME_BYTES) {
            declared.add(then.substring(at, at + NAME_BYTES));
        }
        var found = new TreeMap<>(tools);
        found.keySet().removeIf(name -> !declared.contains(names.get(name)));
        return found.size() == declared.size() ? found : tools;
    }

    private void declare(JsonNode tool) {
        var type = tool.path("type").asText();
        if (SHOWN_TOOLS.contains(type)) {
            var named = tool.has("name") ? tool : tool.path(type);
            var name = type + " " + named.path("name").asText();
            tools.put(name, CanonicalJson.of(tool));
            var digest = digests.of("tool", bytes(name));
            names.put(name, digest.substring(digest.size() - NAME_BYTES));
        }
    }

    private byte[] setting(SortedMap<String, String> declared) {
        var all = instructions;
        for (var tool : declared.entrySet()) {
            all = hash(hash(all, bytes(tool.getKey())), bytes(tool.getValue()));
        }
        return all;
    }

    private static byte[] bytes(@Nullable String text) {
        return Objects.requireNonNullElse(text, "").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hash(byte[] before, byte[] next) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(before);
            return digest.digest(next);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
