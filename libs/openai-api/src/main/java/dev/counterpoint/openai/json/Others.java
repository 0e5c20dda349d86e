package dev.counterpoint.openai.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The members of an object that its record has no component for, as they came.
///
/// A record keeps them by having one component of this type; they are written back after its own members. The tag of
/// a family is none of them. Nobody can change them.
public final class Others extends AbstractMap<String, JsonNode> {
    /// None at all.
    public static final Others NONE = new Others();

    private final Map<String, JsonNode> members = new LinkedHashMap<>();
    private final Map<String, JsonNode> view = Collections.unmodifiableMap(members); // keeps its set of entries

    Others() {}

    void keep(String name, JsonNode value) {
        members.put(name, value);
    }

    @Override
    public Set<Entry<String, JsonNode>> entrySet() {
        return view.entrySet();
    }
}
