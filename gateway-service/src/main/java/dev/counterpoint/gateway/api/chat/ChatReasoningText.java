package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.openai.chat.ReasoningDetail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reasoning that a completion has told so far: raw or summed up, part by part, and the sealed form for the next
/// turn. A part begins with its separator, so that the joined parts are the whole text. Not thread-safe.
final class ChatReasoningText {
    /// Ours is none of the forms that the convention lists.
    private static final String FORMAT = "unknown";

    private final boolean raw;
    private final List<StringBuilder> parts = new ArrayList<>();
    private final List<String> sealed = new ArrayList<>();

    /// @param raw whether the parts are raw reasoning rather than its summary
    ChatReasoningText(boolean raw) {
        this.raw = raw;
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /// Appends to a part.
    ///
    /// @return what was appended, as the convention tells it
    ReasoningDetail append(boolean opensPart, String text) {
        if (opensPart || parts.isEmpty()) {
            parts.add(new StringBuilder());
        }
        parts.getLast().append(text);
        return detail(parts.size() - 1, text);
    }

    /// The text that was told so far; null for none.
    @Nullable
    String textOrNull() {
        return parts.isEmpty() ? null : String.join("", parts);
    }

    void seal(String blob) {
        sealed.add(blob);
    }

    /// The analysis as workers sealed it, run by run.
    List<String> sealed() {
        return List.copyOf(sealed);
    }

    /// All parts as the convention tells them.
    List<ReasoningDetail> details() {
        var details = new ArrayList<ReasoningDetail>();
        for (int i = 0; i < parts.size(); i++) {
            details.add(detail(i, parts.get(i).toString()));
        }
        return details;
    }

    /// The sealed forms as the convention tells them, after the parts.
    List<ReasoningDetail> sealedDetails() {
        var details = new ArrayList<ReasoningDetail>();
        for (int i = 0; i < sealed.size(); i++) {
            details.add(new ReasoningDetail.Encrypted(sealed.get(i), null, FORMAT, parts.size() + i));
        }
        return details;
    }

    private ReasoningDetail detail(int index, String text) {
        return raw
                ? new ReasoningDetail.Text(text, null, null, FORMAT, index)
                : new ReasoningDetail.Summary(text, null, FORMAT, index);
    }
}
