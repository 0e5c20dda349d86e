package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.InputItem;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Conversations that stand in one item, sealed to gateways and bound to a project: the `encrypted_content` of a
/// compaction. It holds items as we store them, so no reasoning, and stands for all items before it. Thread-safe.
@ApplicationScoped
class SealedCompactions {
    private final KeyRing keys;

    SealedCompactions(KeyRing keys) {
        this.keys = keys;
    }

    String seal(List<InputItem> items, Owner owner) {
        var content = InputItems.write(items).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(keys.sealFor(ServiceRole.GATEWAY, content, of(owner)));
    }

    /// @param param of the compaction, to name when it does not open
    /// @throws WireException when it is another project's, or was altered
    private List<InputItem> open(String blob, Owner owner, String param) {
        try {
            var content = keys.open(Base64.getUrlDecoder().decode(blob), of(owner));
            return InputItems.read(new String(content, StandardCharsets.UTF_8));
        } catch (SealException | IllegalArgumentException e) {
            var mistake = TurnEnding.Mistake.INVALID_ENCRYPTED_CONTENT;
            throw new WireException(
                    param, mistake.code(), "The encrypted content of a compaction could not be verified.");
        }
    }

    /// A conversation from its last compaction on.
    ///
    /// @param whole all that was said, and no compaction of it
    ConversationInput unfolded(ConversationInput whole, Owner owner) {
        int own = last(whole.own());
        if (own >= 0) {
            var param = "input[" + own + "].encrypted_content";
            return new ConversationInput(
                    whole.prompt(),
                    open(blob(whole.own().get(own)), owner, param),
                    whole.own().subList(own + 1, whole.own().size()),
                    own + 1,
                    null);
        }
        int earlier = last(whole.earlier());
        if (earlier < 0) {
            return whole;
        }
        var items = new ArrayList<>(open(blob(whole.earlier().get(earlier)), owner, "previous_response_id"));
        items.addAll(whole.earlier().subList(earlier + 1, whole.earlier().size()));
        return new ConversationInput(whole.prompt(), items, whole.own(), 0, null);
    }

    private static int last(List<InputItem> items) {
        int at = items.size() - 1;
        while (at >= 0 && !(items.get(at) instanceof InputItem.Compaction)) {
            at--;
        }
        return at;
    }

    private static String blob(InputItem compaction) {
        return ((InputItem.Compaction) compaction).encryptedContent();
    }

    private static String of(Owner owner) {
        var tenant = "compaction|" + owner.tenant();
        // As all were sealed before projects were told apart: what clients hold of these still opens.
        return owner.inDefaultProject() ? tenant : tenant + "|" + owner.project();
    }
}
