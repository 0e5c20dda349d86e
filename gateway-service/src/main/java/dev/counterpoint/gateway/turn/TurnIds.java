package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// The ids that clients see, all derived from the response's own, so that every replica names things alike.
///
/// An item's id carries the id of its response and its place there, so that a reference to it can be followed without
/// an index.
public record TurnIds(ResponseId id) {
    private static final String RESPONSE = "resp_";
    private static final String COMPLETION = "chatcmpl-";
    private static final HexFormat HEX = HexFormat.of();
    private static final int INDEX_DIGITS = 4;
    private static final int INPUT_DIGITS = 6;
    private static final Pattern INPUT = Pattern.compile("[a-z]+_([0-9a-f]{48})i([0-9a-f]{6})");

    /// The place of an item.
    ///
    /// @param outputIndex from 0
    public record Place(ResponseId response, int outputIndex) {}

    public String response() {
        return RESPONSE + id;
    }

    public String completion() {
        return COMPLETION + id;
    }

    public String reasoning(int outputIndex) {
        return id.reasoningItem(outputIndex);
    }

    public String compaction(int outputIndex) {
        return item("cmp_", outputIndex);
    }

    public String message(int outputIndex) {
        return item("msg_", outputIndex);
    }

    public String functionCall(int outputIndex) {
        return item("fc_", outputIndex);
    }

    public String customCall(int outputIndex) {
        return item("ctc_", outputIndex);
    }

    /// The id of an item of the input.
    ///
    /// @param kind as in `msg`
    /// @param index of the item in the input, from 0
    public String input(String kind, int index) {
        return kind + "_" + id + "i" + HEX.toHexDigits(index, INPUT_DIGITS);
    }

    /// @param message ordinal of the model's message that holds the call
    public String call(int message) {
        return id.call(message);
    }

    /// Seconds since 1970.
    public long createdAt() {
        return id.acceptedAtMillis() / 1000;
    }

    /// Reads `resp_…`; empty for anything else.
    public static Optional<ResponseId> parseResponse(String text) {
        return parse(RESPONSE, text);
    }

    /// Reads `chatcmpl-…`; empty for anything else.
    public static Optional<ResponseId> parseCompletion(String text) {
        return parse(COMPLETION, text);
    }

    /// Reads the id of a row, of whichever API; empty for anything else.
    public static Optional<ResponseId> parse(String row) {
        return parseResponse(row).or(() -> parseCompletion(row));
    }

    private static Optional<ResponseId> parse(String prefix, String text) {
        return text.startsWith(prefix) ? ResponseId.parse(text.substring(prefix.length())) : Optional.empty();
    }

    /// Reads the id of an output item of ours; empty for anything else.
    public static Optional<Place> parseItem(String text) {
        var digits = text.substring(text.indexOf('_') + 1);
        int split = digits.length() - INDEX_DIGITS;
        if (split < 0 || !digits.substring(split).chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        int index = HexFormat.fromHexDigits(digits, split, digits.length());
        return ResponseId.parse(digits.substring(0, split)).map(response -> new Place(response, index));
    }

    /// Reads the id of an input item of ours; empty for anything else.
    public static Optional<ResponseId> parseInput(String text) {
        var found = INPUT.matcher(text);
        return found.matches() ? ResponseId.parse(found.group(1)) : Optional.empty();
    }

    private String item(String prefix, int outputIndex) {
        return prefix + id + HEX.toHexDigits(outputIndex, INDEX_DIGITS);
    }
}
