package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.MarkedReasoning.Outside;
import dev.counterpoint.engine.chat.TextPiece.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Tells reasoning from answer in the text of one output. Pieces that are certain come at once; where
/// it is doubtful whether something is the answer, it is not. Pure but for its memory, whatever pieces
/// the text comes in; not thread-safe.
final class ReasoningExtractor {
    /// An envelope that begins the text may begin with any member, and stand in a block of code.
    private static final Pattern BEGINS = Pattern.compile("\\s*(?:```(?:json)?\\s*)?\\{.*", Pattern.DOTALL);
    private static final Pattern MAY_BEGIN = Pattern.compile("\\s*(?:`{0,3}|```(?:j|js|jso|json)?\\s*)");

    /// Further on, one of its own members opens it.
    private static final Pattern OPENING =
            Pattern.compile("\\{\\s*\"(?:reasoning|answer)\"\\s*:", Pattern.CASE_INSENSITIVE);
    private static final Pattern MAY_OPEN =
            Pattern.compile("\\{\\s*(?:\"[a-zA-Z]{0,9}|\"(?:reasoning|answer)\"\\s*)?", Pattern.CASE_INSENSITIVE);
    /// Blanks in an opening are bounded, so that what is held is.
    private static final int OPENING_CHARACTERS_MAX = 1 << 16;

    private final Set<ReasoningMarker> markers = EnumSet.noneOf(ReasoningMarker.class);
    private final boolean enveloped;
    private final boolean alone;
    private final MarkedReasoning text;
    private final List<TextPiece> pieces = new ArrayList<>();
    /// The text of the answer while it may begin or open an envelope.
    private final StringBuilder held = new StringBuilder();
    /// The whole text while it may begin with an envelope.
    private @Nullable StringBuilder beginning;
    private boolean answered;
    private @Nullable JsonEnvelope envelope;
    /// The envelope has the text as it came; else what stands outside of markers.
    private boolean envelopeFirst;

    /// @param strategies of the model
    /// @param reasons whether the model was asked to show its reasoning
    /// @param alone whether nothing may stand beside the answer, because it has a form to keep
    ReasoningExtractor(List<ReasoningStrategy> strategies, boolean reasons, boolean alone) {
        this.alone = alone;
        enveloped = reasons && strategies.contains(ReasoningStrategy.ENVELOPE);
        beginning = enveloped ? new StringBuilder() : null;
        boolean plain = !reasons
                || strategies.contains(ReasoningStrategy.POST_HOC)
                || strategies.contains(ReasoningStrategy.NONE);
        boolean open = strategies.contains(ReasoningStrategy.THINK_OPEN);
        if (strategies.contains(ReasoningStrategy.MARKERS)) {
            markers.add(ReasoningMarker.REASONING);
        }
        if (open || strategies.contains(ReasoningStrategy.THINK)) {
            markers.add(ReasoningMarker.THINK);
        }
        text = new MarkedReasoning(
                markers, plain ? Outside.ANSWER : Outside.UNDECIDED, open ? ReasoningMarker.THINK : null);
    }

    /// Reasoning came another way, so what still comes is the answer; what is held was reasoning.
    List<TextPiece> decide() {
        pieces.clear();
        take(text.decide());
        return List.copyOf(pieces);
    }

    /// Takes more of the text.
    List<TextPiece> accept(String more) {
        pieces.clear();
        if (beginning != null) {
            begin(beginning.append(more));
        } else if (envelopeFirst && envelope != null) {
            pieces.addAll(envelope.accept(more));
        } else {
            take(text.accept(more));
        }
        return List.copyOf(pieces);
    }

    private void begin(StringBuilder start) {
        var so = start.toString();
        if (BEGINS.matcher(so).matches()) {
            beginning = null;
            envelopeFirst = true;
            open(so.substring(so.indexOf('{')));
        } else if (!MAY_BEGIN.matcher(so).matches() || start.length() > OPENING_CHARACTERS_MAX) {
            beginning = null;
            take(text.accept(so));
        }
    }

    /// The text is over.
    List<TextPiece> finish() {
        pieces.clear();
        if (beginning != null) {
            var so = beginning.toString();
            beginning = null;
            take(text.accept(so));
        }
        if (!envelopeFirst) {
            take(text.finish());
        }
        if (envelope != null) {
            pieces.addAll(envelope.finish());
        } else {
            answer(held.toString());
        }
        return List.copyOf(pieces);
    }

    private void take(List<TextPiece> told) {
        for (var piece : told) {
            if (piece.kind() != Kind.ANSWER) {
                pieces.add(piece);
            } else if (envelope != null) {
                pieces.addAll(envelope.accept(piece.text()));
            } else if (enveloped) {
                look(piece.text());
            } else {
                pieces.add(piece);
            }
        }
    }

    /// True if an envelope opens here.
    private void look(String more) {
        held.append(more);
        var so = held.toString();
        if (!answered && BEGINS.matcher(so).matches()) {
            open(so.substring(so.indexOf('{')));
            return;
        }
        var opening = OPENING.matcher(so);
        if (opening.find()) {
            answer(so.substring(0, opening.start()));
            open(so.substring(opening.start()));
            return;
        }
        int from = doubtful(so);
        answer(so.substring(0, from));
        held.delete(0, from);
    }

    /// From where on it may become an envelope.
    private int doubtful(String so) {
        if (!answered
                && so.length() <= OPENING_CHARACTERS_MAX
                && MAY_BEGIN.matcher(so).matches()) {
            return 0;
        }
        int last = so.lastIndexOf('{');
        boolean may = last >= 0
                && so.length() - last <= OPENING_CHARACTERS_MAX
                && MAY_OPEN.matcher(so.substring(last)).matches();
        return may ? last : so.length();
    }

    private void answer(String said) {
        if (!said.isEmpty()) {
            answered |= !said.isBlank();
            pieces.add(new TextPiece(Kind.ANSWER, said));
        }
    }

    private void open(String start) {
        held.setLength(0);
        envelope = new JsonEnvelope(markers, alone);
        pieces.addAll(envelope.accept(start));
    }
}
