package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.Extraction;
import dev.counterpoint.engine.chat.split.ReasoningSplitter;
import dev.counterpoint.engine.chat.split.TextPiece;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Separates reasoning from the answer in the text of one output; where it is not certain that text is the answer, it
/// is not. The same pieces come out however the text is cut; not thread-safe.
///
/// The extractor looks for an envelope first, in the raw text, so that marks quoted in its strings are text; then for
/// marks; then for an envelope in the text that the marks left.
final class ReasoningExtractor implements Extraction {
    private final List<TextPiece> pieces = new ArrayList<>();
    private final Stage separated;
    private Stage stage;
    /// The text as long as no piece was given out; null from then on.
    private @Nullable StringBuilder untouched = new StringBuilder();
    private boolean byServer;

    /// @param rule how the model shows reasoning in its text
    ReasoningExtractor(TextRule rule, EnvelopeTerms terms) {
        var end = terms.formed() ? new FormStage() : Stage.answer();
        separated = terms.asked() ? new EnvelopeStage(terms.withPreface(true), end) : end;
        var rest = terms.formed() ? new FormStage() : Stage.answer();
        var marked = new SplitStage(
                new ReasoningSplitter(rule),
                terms.own() ? rest : new EnvelopeStage(terms.withPreface(terms.asked()), rest));
        boolean wholeForm = terms.formed() && rule.unmarked() != Unmarked.ANSWER;
        stage = terms.own() && !wholeForm ? marked : new EnvelopeStage(terms.withPreface(false), wholeForm, marked);
    }

    @Override
    public List<TextPiece> decide() {
        pieces.clear();
        if (!byServer) {
            byServer = true;
            if (untouched == null) {
                stage.finish(true, pieces::add);
                stage = separated;
            } else {
                stage = separated;
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
