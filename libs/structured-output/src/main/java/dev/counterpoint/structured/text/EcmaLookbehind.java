package dev.counterpoint.structured.text;

import java.util.List;

/// What must come before a place, when that is one character or the start.
final class EcmaLookbehind {
    private EcmaLookbehind() {}

    /// @param position of the group, for the message
    static EcmaNode of(EcmaNode content, boolean negated, int position) {
        var before = new Before(Characters.NONE, false);
        for (var choice : content instanceof EcmaNode.Choice(var choices) ? choices : List.of(content)) {
            before = before.or(before(choice, position));
        }
        return negated
                ? new EcmaNode.Behind(before.set.complement(), !before.start)
                : new EcmaNode.Behind(before.set, before.start);
    }

    private record Before(Characters set, boolean start) {
        Before or(Before other) {
            return new Before(set.or(other.set), start || other.start);
        }
    }

    private static Before before(EcmaNode choice, int position) {
        return switch (choice) {
            case EcmaNode.Behind(var set, boolean start) -> new Before(set, start);
            case EcmaNode.Text(var pattern)
            when pattern instanceof TextPattern.OneOf one -> new Before(one.characters, false);
            default -> throw new UnsupportedPatternException("A lookbehind of more than one character", position);
        };
    }
}
