package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.split.ReasoningSplitter;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.List;
import java.util.function.Consumer;

/// Takes marked reasoning out of a text; what remains goes on to the next stage.
final class SplitStage implements Stage {
    private final ReasoningSplitter splitter;
    private final Stage next;

    SplitStage(ReasoningSplitter splitter, Stage next) {
        this.splitter = splitter;
        this.next = next;
    }

    @Override
    public void accept(String text, Consumer<TextPiece> out) {
        pass(splitter.accept(text), out);
    }

    @Override
    public void finish(boolean whole, Consumer<TextPiece> out) {
        pass(splitter.finish(whole), out);
        next.finish(whole, out);
    }

    private void pass(List<TextPiece> pieces, Consumer<TextPiece> out) {
        for (var piece : pieces) {
            if (piece.kind() == Kind.ANSWER) {
                next.accept(piece.text(), out);
            } else {
                out.accept(piece);
            }
        }
    }
}
