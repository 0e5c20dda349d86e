package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireNames;
import java.util.List;

/// Which files a search looks at, by their attributes.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface SearchFilter {
    /// An attribute against a value.
    @WireNames({"eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"})
    record Comparison(String type, String key, Value value, Others others) implements SearchFilter {}

    /// All of the filters, or any.
    @WireNames({"and", "or"})
    record Compound(String type, List<SearchFilter> filters, Others others) implements SearchFilter {
        public Compound {
            filters = List.copyOf(filters);
        }
    }

    /// A filter that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements SearchFilter {}

    /// What an attribute is compared with: a value, or several for `in` and `nin`.
    sealed interface Value permits Scalar, Many {}

    record Many(@JsonValue List<Scalar> values) implements Value {
        public Many {
            values = List.copyOf(values);
        }
    }
}
