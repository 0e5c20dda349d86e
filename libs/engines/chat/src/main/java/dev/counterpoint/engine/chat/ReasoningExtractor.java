package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.MarkMentions;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextSplitter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tells reasoning from answer in the text of one output. Pieces that are certain come at once; where it is
/// doubtful whether something is the answer, it is not. Pure but for its memory, whatever pieces the text
/// comes in; not thread-safe.
///
/// An envelope is looked for first, in the text as it came, so that marks quoted in its strings are text;
/// then marks; then an envelope in what the marks left.
final class ReasoningExtractor implements Extraction {
    private final List<TextPiece> pieces = new ArrayList<>();
    private final Stage told;
    private Stage stage;
    /// The text as long as nothing of it was told apart; null from then on.
    private @Nullable StringBuilder untouched = new StringBuilder();
    private boolean byServer;

    /// @param rule how the text of the model is told apart
    /// @param terms of an envelope
    /// @param own whether the client's own form has members of an envelope, so that no envelope is opened
    /// @param conversation the marks that it speaks of
    ReasoningExtractor(TextRule rule, EnvelopeTerms terms, boolean own, MarkMentions conversation) {
        var end = terms.formed() ? new FormStage() : Stage.answer();
        told = terms.asked() ? new EnvelopeStage(terms.withPreface(true), end) : end;
        var rest = terms.formed() ? new FormStage() : Stage.answer();
        var marked = new SplitStage(
                new TextSplitter(rule, conversation),
                own ? rest : new EnvelopeStage(terms.withPreface(terms.asked()), rest));
        boolean held = rule.unmarked() != Unmarked.ANSWER;
        var whole = terms.formed() && held ? new WholeFormStage(marked) : marked;
        stage = own ? whole : new EnvelopeStage(terms.withPreface(false), whole);
    }

    @Override
    public List<TextPiece> decide() {
        pieces.clear();
        if (!byServer) {
            byServer = true;
            if (untouched == null) {
                stage.finish(true, pieces::add);
                stage = told;
            } else {
                stage = told;
                stage.accept(untouched.toString(), pieces::add);
            }
            untouched = null;
        }
        return List.copyOf(pieces);
    }

    @Override
    public List<TextPiece> accept(String more) {
        pieces.clear();
        if (untouched != null) {
            untouched.append(more);
        }
        stage.accept(more, pieces::add);
        if (!pieces.isEmpty()) {
            untouched = null;
        }
        return List.copyOf(pieces);
    }

    @Override
    public List<TextPiece> finish(boolean whole) {
        pieces.clear();
        stage.finish(whole, pieces::add);
        return List.copyOf(pieces);
    }
}
