package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The pieces that are told, in their order: at once, or, as long as there is a doubt, when it is over. Not
/// thread-safe.
final class LaneOutput {
    private final List<TextPiece> pieces = new ArrayList<>();
    private final HeldText held = new HeldText();
    private Doubt doubt;
    private boolean lost;

    LaneOutput(Doubt doubt) {
        this.doubt = doubt;
    }

    Doubt doubt() {
        return doubt;
    }

    /// Too much was held: nothing is told any more.
    boolean isLost() {
        return lost;
    }

    List<TextPiece> take() {
        var taken = List.copyOf(pieces);
        pieces.clear();
        return taken;
    }

    /// What follows is held. What is in doubt already stays so, in its own way.
    ///
    /// @return whether there was no doubt before
    boolean doubt(Doubt reason) {
        boolean fresh = doubt == Doubt.NONE;
        doubt = fresh ? reason : doubt;
        return fresh;
    }

    /// The doubt is over.
    ///
    /// @param turnedOut what each kind of the held text has turned out to be
    void release(UnaryOperator<Kind> turnedOut) {
        doubt = Doubt.NONE;
        held.take(turnedOut).forEach(this::give);
    }

    void say(Kind kind, String text) {
        if (lost) {
            give(new TextPiece(Kind.UNTOLD, text));
        } else if (doubt == Doubt.NONE) {
            give(new TextPiece(kind, text));
        } else if (!text.isEmpty()) {
            held.add(kind, text);
            if (held.length() > TextSplitter.HELD_CHARACTERS_MAX) {
                release(LaneOutput::withheld);
                lost = true;
            }
        }
    }

    /// Something is amiss with what was told before.
    void warn() {
        pieces.add(new TextPiece(Kind.UNTOLD, ""));
    }

    /// What is in doubt is not shown.
    static Kind withheld(Kind seeming) {
        return seeming == Kind.ANSWER ? Kind.UNTOLD : seeming;
    }

    private void give(TextPiece piece) {
        if (!piece.text().isEmpty()) {
            pieces.add(piece);
        }
    }
}
