package dev.counterpoint.structured.lark;

import java.util.List;

/// The right side of a definition. Each keeps a word of it, for messages.
sealed interface LarkExpression {
    LarkToken token();

    /// A terminal's or a rule's name.
    record Name(LarkToken token) implements LarkExpression {}

    /// A string or a regular expression.
    record Text(LarkToken token) implements LarkExpression {}

    /// One character from one to another.
    record Range(LarkToken token, LarkToken last) implements LarkExpression {}

    record Sequence(LarkToken token, List<LarkExpression> parts) implements LarkExpression {}

    record Choice(LarkToken token, List<LarkExpression> choices) implements LarkExpression {}

    record Repeated(LarkToken token, LarkExpression part, int min, int max) implements LarkExpression {}
}
