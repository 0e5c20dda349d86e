package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.ModelFamily;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import java.util.Optional;

/// The family of a model, and by what it was known.
///
/// @param by in a few words, for operators
public record KnownFamily(ModelFamily family, String by) {
    public static KnownFamily named(ModelFamily family) {
        return new KnownFamily(family, "as worker.chat.family says");
    }

    /// By one of its names, the most telling one first, or by its template. A family that reasons is
    /// believed before one that does not.
    static Optional<KnownFamily> of(ServerFacts facts, FamilyTable table) {
        var found = facts.names().stream()
                .flatMap(name -> of(name, facts, table).stream())
                .toList();
        return found.stream()
                .filter(known -> known.family.form() != Form.PLAIN)
                .findFirst()
                .or(() -> found.stream().findFirst());
    }

    /// Names that only the server has may be paths of files, so they are not told.
    private static Optional<KnownFamily> of(String name, ServerFacts facts, FamilyTable table) {
        return table.of(name, facts.template()).map(family -> {
            boolean named = table.of(name, null).filter(family::equals).isPresent();
            var by = name.equals(facts.model()) ? "by its name" : "by its name at the server";
            return new KnownFamily(family, named ? by : "by its template");
        });
    }
}
