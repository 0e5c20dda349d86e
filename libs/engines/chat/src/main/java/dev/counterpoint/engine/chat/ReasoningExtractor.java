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
    private final List<EnvelopeStage> envelopes = new ArrayList<>();
    private final Stage separated;
    private Stage stage;
    /// The text as long as no piece was given out; null from then on.
    private @Nullable StringBuilder untouched = new StringBuilder();
    private boolean byServer;

    /// @param rule how the model shows reasoning in its text
    ReasoningExtractor(TextRule rule, EnvelopeTerms terms) {
        var end = terms.formed() ? new FormStage() : Stage.answer();
        separated = terms.asked() ? envelope(terms.withPreface(true), false, end) : end;
        var rest = terms.formed() ? new FormStage() : Stage.answer();
        var marked = new SplitStage(
                new ReasoningSplitter(rule),
                terms.own() ? rest : envelope(terms.withPreface(terms.asked()), false, rest));
        boolean wholeForm = terms.formed() && rule.unmarked() != Unmarked.ANSWER;
        stage = terms.own() && !wholeForm ? marked : envelope(terms.withPreface(false), wholeForm, marked);
    }

    private EnvelopeStage envelope(EnvelopeTerms terms, boolean wholeForm, Stage otherwise) {
        var stage = new EnvelopeStage(terms, wholeForm, otherwise);
        envelopes.add(stage);
        return stage;
    }

    @Override
    public List<TextPiece> decide() {
        pieces.clear();
        if (!byServer && !isOver()) {
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
    public boolean isOver() {
        return envelopes.stream().anyMatch(EnvelopeStage::isOpened);
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
