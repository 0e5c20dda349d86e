package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Role;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A header under way: its text, cut into sections by the control tokens, never by what the text spells.
final class HeaderDraft {
    enum Kind {
        ROLE,
        CHANNEL,
        CONSTRAIN
    }

    /// Where the header came from; decides what its text may become if `<|message|>` never comes.
    enum Origin {
        /// The stream began inside it, by the start role.
        STREAM_START,
        /// `<|start|>` opened it.
        START_TOKEN,
        /// It began between two messages, with text that may turn out to be none, or with another control token.
        BETWEEN
    }

    record Section(Kind kind, String text) {}

    /// No header of a sane model is longer. Beyond it, text with a channel is taken for a body.
    static final int TOKENS_MAX = 256;

    /// Beyond it, any text is taken for a body.
    static final int BYTES_MAX = 1 << 20;

    final Origin origin;
    final @Nullable Role given;
    private final List<Kind> kinds = new ArrayList<>();
    private final List<ByteArrayOutputStream> texts = new ArrayList<>();
    private int tokens;
    private int bytes;

    HeaderDraft(Origin origin, @Nullable Role given) {
        this.origin = origin;
        this.given = given;
        open(Kind.ROLE);
    }

    void open(Kind kind) {
        if (kinds.size() < TOKENS_MAX) {
            kinds.add(kind);
            texts.add(new ByteArrayOutputStream());
        }
    }

    /// Text without a marker: not known to be a header.
    boolean isLoose() {
        return origin == Origin.BETWEEN && !has(Kind.CHANNEL);
    }

    void append(byte[] text, int from, int to) {
        texts.getLast().write(text, from, to - from);
        tokens++;
        bytes += to - from;
    }

    /// Whether it has just become too long for a header.
    boolean isLong() {
        return tokens == TOKENS_MAX;
    }

    boolean isFull() {
        return bytes >= BYTES_MAX;
    }

    boolean isBlank() {
        return kinds.size() == 1 && sections().getFirst().text().isBlank();
    }

    boolean has(Kind kind) {
        return kinds.contains(kind);
    }

    List<Section> sections() {
        var sections = new ArrayList<Section>();
        for (int i = 0; i < kinds.size(); i++) {
            sections.add(new Section(kinds.get(i), texts.get(i).toString(StandardCharsets.UTF_8)));
        }
        return sections;
    }
}
