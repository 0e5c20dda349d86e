package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.validator.TextKind.Family;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// Whether a finished item holds what its events brought, no more and no less.
///
/// @param fromStart whether the item's beginning came by
record ItemCompleteness(String name, String kind, boolean fromStart, StreamViolations violations) {
    /// Shorter texts stand in a sealed blob by chance.
    private static final int TELLING_CHARACTERS_MIN = 12;

    void check(JsonNode item, Map<Family, List<PartState>> parts) {
        parts.forEach((family, streamed) -> {
            switch (family) {
                case CONTENT -> all(family, item.path("content"), streamed);
                case SUMMARY -> all(family, item.path("summary"), streamed);
                case COMMAND -> {
                    if (!streamed.isEmpty()) {
                        all(family, item.at("/action/commands"), streamed);
                    }
                }
                case MEMBER -> member(item, streamed);
            }
            streamed.forEach(part -> sealed(item, part.text()));
        });
    }

    private void all(Family family, JsonNode held, List<PartState> streamed) {
        if (fromStart && held.size() != streamed.size()) {
            violations.add(
                    ValidationRule.WHOLE,
                    name + " holds " + held.size() + " times a " + family.words() + ", and " + streamed.size()
                            + " came");
        }
        for (int i = 0; i < Math.min(held.size(), streamed.size()); i++) {
            streamed.get(i).compareWith(held.get(i));
        }
    }

    private void member(JsonNode item, List<PartState> streamed) {
        for (var text : TextKind.values()) {
            if (text.family() != Family.MEMBER || !text.itemKind().equals(kind)) {
                continue;
            }
            if (!streamed.isEmpty()) {
                streamed.getFirst().compareWith(item.path(text.part()));
            } else if (fromStart && clientRuns(text)) {
                violations.add(
                        ValidationRule.ORDER,
                        name + " is closed before its " + text.part() + " are: their done event is missing");
            }
        }
    }

    /// Calls that the server itself runs need not be streamed piece by piece.
    private static boolean clientRuns(TextKind text) {
        return text == TextKind.FUNCTION_ARGUMENTS || text == TextKind.CUSTOM_INPUT;
    }

    private void sealed(JsonNode item, String said) {
        var blob = item.path("encrypted_content").asText("");
        if (blob.isEmpty() || said.length() < TELLING_CHARACTERS_MIN) {
            return;
        }
        if (blob.contains(said) || decoded(blob).contains(said)) {
            violations.add(
                    ValidationRule.SEALED, "encrypted_content of " + name + " holds the streamed reasoning in clear");
        }
    }

    private static String decoded(String blob) {
        try {
            var standard = blob.replace('-', '+').replace('_', '/');
            return new String(Base64.getDecoder().decode(standard), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }
}
