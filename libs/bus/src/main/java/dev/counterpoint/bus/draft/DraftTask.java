package dev.counterpoint.bus.draft;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// What a model is to write; sealed to workers inside a [DraftRequest].
///
/// @param instructions the rules of the task, as the model's system message
/// @param input the text that the task is about, as a user's message: marks in it are text and never tokens
/// @param schema JSON Schema of the answer, in the strict form of Structured Outputs
/// @param tokensMax tokens of the answer at most, at least 1
public record DraftTask(String instructions, String input, String schema, int tokensMax) {
    public byte[] encode() {
        return new FieldWriter()
                .text(1, instructions)
                .text(2, input)
                .text(3, schema)
                .number(4, tokensMax)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such task
    public static DraftTask decode(byte[] bytes) {
        var in = new FieldReader(bytes);
        return new DraftTask(in.text(1), in.text(2), in.text(3), in.small(4));
    }

    /// Tells sizes only: prompts are never logged.
    @Override
    public String toString() {
        return "DraftTask[instructions=%d, input=%d, schema=%d, tokensMax=%d]"
                .formatted(instructions.length(), input.length(), schema.length(), tokensMax);
    }
}
