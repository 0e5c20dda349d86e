package dev.counterpoint.structured.text;

import dev.counterpoint.structured.text.EcmaEscapes.Escape;

/// Reads a set of characters in square brackets.
final class EcmaClass {
    private final PatternSource source;
    private final EcmaEscapes escapes;

    EcmaClass(PatternSource source, EcmaEscapes escapes) {
        this.source = source;
        this.escapes = escapes;
    }

    Characters read() {
        int start = source.position();
        source.next();
        boolean negated = source.take("^");
        var set = Characters.NONE;
        while (!source.take("]")) {
            if (source.atEnd()) {
                throw new UnsupportedPatternException("A [ without ]", start);
            }
            set = set.or(member());
        }
        return negated ? set.complement() : set;
    }

    /// A character, a class or a range. A hyphen that makes no range stands for itself.
    private Characters member() {
        int start = source.position();
        var first = one();
        if (source.peek() != '-' || source.peek(1) == ']' || first.single() == PatternSource.NONE) {
            return first.set();
        }
        source.next();
        var last = one();
        if (last.single() == PatternSource.NONE) {
            return first.set().or(Characters.of('-')).or(last.set());
        }
        if (last.single() < first.single()) {
            throw new UnsupportedPatternException("A range that ends before it starts", start);
        }
        return Characters.range(first.single(), last.single());
    }

    private Escape one() {
        int start = source.position();
        int character = source.next();
        if (character == PatternSource.NONE) {
            throw new UnsupportedPatternException("A [ without ]", start);
        }
        if (character == '[' && atPosixName()) {
            throw new UnsupportedPatternException("A POSIX class", start);
        }
        if (character != '\\') {
            return new Escape(Characters.of(character), character);
        }
        if (source.take("b")) {
            return new Escape(Characters.of('\b'), '\b');
        }
        return escapes.read();
    }

    private boolean atPosixName() {
        int length = 1;
        while (PatternSource.isLetter(source.peek(length)) || source.peek(length) == '^') {
            length++;
        }
        return source.peek() == ':' && length > 1 && source.peek(length) == ':' && source.peek(length + 1) == ']';
    }
}
