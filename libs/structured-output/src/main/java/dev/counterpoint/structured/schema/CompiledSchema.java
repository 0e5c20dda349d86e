package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Grammar;
import java.util.List;

/// The grammar of the values that fit a schema, and what it leaves out: unknown formats, and with leniency whatever
/// else cannot be enforced.
public record CompiledSchema(Grammar grammar, List<Unenforced> unenforced) {
    public CompiledSchema {
        unenforced = List.copyOf(unenforced);
    }
}
