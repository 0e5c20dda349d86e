package dev.counterpoint.structured.text;

import java.util.ArrayList;
import java.util.List;

/// Finds the kinds of characters that a pattern distinguishes when it looks back.
final class EcmaKinds {
    private static final int KINDS_MAX = 16;

    private List<Characters> kinds = List.of(Characters.ALL);

    /// @param others assertions that look at characters
    record Uses(boolean starts, boolean ends, boolean others) {
        private static final Uses NONE = new Uses(false, false, false);

        private Uses or(Uses other) {
            return new Uses(starts || other.starts, ends || other.ends, others || other.others);
        }
    }

    /// Which assertions stand in a node.
    static Uses uses(EcmaNode node) {
        return switch (node) {
            case EcmaNode.Text _ -> Uses.NONE;
            case EcmaNode.Sequence(var parts) -> uses(parts);
            case EcmaNode.Choice(var choices) -> uses(choices);
            case EcmaNode.Repeated repeated -> uses(repeated.part());
            case EcmaNode.End _ -> new Uses(false, true, false);
            case EcmaNode.Behind behind ->
                behind.set().isEmpty() ? new Uses(true, false, false) : new Uses(false, false, true);
            case EcmaNode.Boundary _, EcmaNode.Ahead _ -> new Uses(false, false, true);
        };
    }

    private static Uses uses(List<EcmaNode> parts) {
        return parts.stream().map(EcmaKinds::uses).reduce(Uses.NONE, Uses::or);
    }

    List<Characters> of(EcmaNode node) {
        collect(node);
        return kinds;
    }

    private void collect(EcmaNode node) {
        switch (node) {
            case EcmaNode.Sequence(var parts) -> parts.forEach(this::collect);
            case EcmaNode.Choice(var choices) -> choices.forEach(this::collect);
            case EcmaNode.Repeated repeated -> collect(repeated.part());
            case EcmaNode.Ahead ahead -> collect(ahead.part());
            case EcmaNode.Behind behind -> split(behind.set());
            case EcmaNode.Boundary _ -> split(EcmaEscapes.WORD);
            case EcmaNode.Text _, EcmaNode.End _ -> {}
        }
    }

    private void split(Characters set) {
        var parts = new ArrayList<Characters>();
        for (var kind : kinds) {
            parts.add(kind.and(set));
            parts.add(kind.and(set.complement()));
        }
        parts.removeIf(Characters::isEmpty);
        kinds = List.copyOf(parts);
        if (kinds.size() > KINDS_MAX) {
            throw new UnsupportedPatternException("Lookbehind of more than " + KINDS_MAX + " kinds of characters", 0);
        }
    }
}
