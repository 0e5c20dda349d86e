package dev.counterpoint.audit.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A member of what the API answers, as pages list it.
///
/// @param name the API's name for it
record ShownMember(String name, String value) {
    /// The members of an object, those of objects in it too, without what has no value.
    ///
    /// @param without names of members that a page shows elsewhere
    static List<ShownMember> of(JsonNode object, Set<String> without) {
        var members = new ArrayList<ShownMember>();
        add(members, "", object, without);
        return List.copyOf(members);
    }

    private static void add(List<ShownMember> members, String name, JsonNode value, Set<String> without) {
        if (value.isObject()) {
            value.properties().stream()
                    .filter(member -> !without.contains(member.getKey()))
                    .forEach(
                            member -> add(members, (name + " " + member.getKey()).strip(), member.getValue(), without));
        } else if (value.isArray()) {
            var texts = value.valueStream().map(JsonNode::asText).toList();
            if (!texts.isEmpty()) {
                members.add(new ShownMember(name, String.join(", ", texts)));
            }
        } else if (!value.isNull() && !value.isMissingNode()) {
            members.add(new ShownMember(name.replace('_', ' '), ShownText.of(value.asText())));
        }
    }
}
