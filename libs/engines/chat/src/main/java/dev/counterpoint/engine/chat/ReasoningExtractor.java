package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.Extraction;
import dev.counterpoint.engine.chat.split.ReasoningSplitter;
import dev.counterpoint.engine.chat.split.Stage;
import dev.counterpoint.engine.chat.split.TextPiece;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Separates reasoning from the answer in the text of one output; where it is not certain that text is the answer, it
/// is not. The same pieces come out however the text is cut; not thread-safe.
///
/// The extractor looks for an envelope first, in the raw text, so that marks quoted in its strings are text; then for
/// marks; then for an envelope in the text that the marks left.
final class ReasoningExtractor implements Extraction {
    private final Consumer<? super TextPiece> out;
    private final List<EnvelopeStage> envelopes = new ArrayList<>();
    private final Stage separated;
    private Stage stage;
    /// The text as long as no piece was given out; null from then on.
    private @Nullable StringBuilder untouched = new StringBuilder();
    private boolean byServer;

    /// @param rule how the model shows reasoning in its text
    ReasoningExtractor(TextRule rule, EnvelopeTerms terms, Consumer<? super TextPiece> out) {
        this.out = out;
        separated = terms.asked() ? envelope(terms.with(true, true), false, end(terms)) : end(terms);
        var rest = terms.own() ? end(terms) : envelope(terms.with(terms.asked(), terms.asked()), false, end(terms));
        var marked = new ReasoningSplitter(rule, rest, this::say);
        boolean wholeForm = terms.formed() && rule.unmarked() != Unmarked.ANSWER;
        stage = terms.own() && !wholeForm ? marked : envelope(terms.with(terms.asked(), false), wholeForm, marked);
    }

    private Stage end(EnvelopeTerms terms) {
        return terms.formed() ? new FormStage(this::say) : Stage.answer(this::say);
    }

    private Stage envelope(EnvelopeTerms terms, boolean wholeForm, Stage otherwise) {
        var stage = new EnvelopeStage(terms, wholeForm, otherwise, this::say);
        envelopes.add(stage);
        return stage;
    }

    private void say(TextPiece piece) {
        untouched = null;
        out.accept(piece);
    }

    @Override
    public void decide() {
        if (byServer || isOver()) {
            return;
        }
        byServer = true;
        var text = untouched == null ? "" : untouched.toString();
        if (untouched == null) {
            stage.finish(true);
        }
        stage = separated;
        stage.accept(text);
        untouched = null;
    }

    @Override
    public boolean isOver() {
        return envelopes.stream().anyMatch(EnvelopeStage::isOpened);
    }

    @Override
    public void accept(String more) {
        if (untouched != null) {
            untouched.append(more);
        }
        stage.accept(more);
    }

    @Override
    public void finish(boolean whole) {
        stage.finish(whole);
    }
}
