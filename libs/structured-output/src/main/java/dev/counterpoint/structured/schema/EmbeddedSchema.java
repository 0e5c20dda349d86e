package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol;
import java.util.List;

/// A schema's values as a part of a larger grammar, and what they leave out.
public record EmbeddedSchema(Symbol value, List<Unenforced> unenforced) {
    public EmbeddedSchema {
        unenforced = List.copyOf(unenforced);
    }
}
