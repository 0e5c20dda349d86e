package dev.counterpoint.structured.text;

import java.util.List;

/// A part of a pattern that is read from left to right and may look around while it does.
sealed interface EcmaNode {
    /// The empty text, wherever it stands.
    EcmaNode EMPTY = new Text(TextPattern.empty());

    /// Text, whatever comes before or after it.
    record Text(TextPattern pattern) implements EcmaNode {}

    record Sequence(List<EcmaNode> parts) implements EcmaNode {}

    record Choice(List<EcmaNode> choices) implements EcmaNode {}

    record Repeated(EcmaNode part, int min, int max) implements EcmaNode {}

    /// Here the text ends.
    record End() implements EcmaNode {}

    /// The character before is one of these.
    ///
    /// @param orStart or there is none
    record Behind(Characters set, boolean orStart) implements EcmaNode {}

    /// A word starts or ends here, or else does not.
    record Boundary(boolean negated) implements EcmaNode {}

    /// What follows matches, or else does not.
    record Ahead(EcmaNode part, boolean negated) implements EcmaNode {}

    static EcmaNode sequence(List<EcmaNode> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        if (parts.stream().allMatch(Text.class::isInstance)) {
            return new Text(TextPattern.concat(patterns(parts)));
        }
        return new Sequence(List.copyOf(parts));
    }

    static EcmaNode choice(List<EcmaNode> choices) {
        if (choices.size() == 1) {
            return choices.getFirst();
        }
        if (choices.stream().allMatch(Text.class::isInstance)) {
            return new Text(TextPattern.or(patterns(choices)));
        }
        return new Choice(List.copyOf(choices));
    }

    static EcmaNode repeated(EcmaNode part, int min, int max) {
        return switch (part) {
            case Text(var pattern) -> new Text(TextPattern.repeat(pattern, min, max));
            case Ahead _ -> min == 0 ? EMPTY : part;
            default -> max == 0 ? EMPTY : new Repeated(part, min, max);
        };
    }

    private static List<TextPattern> patterns(List<EcmaNode> texts) {
        return texts.stream().map(text -> ((Text) text).pattern).toList();
    }
}
