package dev.counterpoint.bus.draft;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;

/// What a model is to write; sealed to workers inside a [DraftRequest].
///
/// @param instructions the rules of the task, as the model's system message
/// @param input the text that the task is about, as a user's message: marks in it are text and never tokens
/// @param schema JSON Schema of the answer, in the strict form of Structured Outputs
/// @param tokensMax tokens of the answer at most, at least 1
public record DraftTask(String instructions, String input, String schema, int tokensMax) {
    public byte[] encode() {
        return BusProto.DraftTask.newBuilder()
                .setInstructionsBytes(Wire.text(instructions))
                .setInputBytes(Wire.text(input))
                .setSchemaBytes(Wire.text(schema))
                .setTokensMax(tokensMax)
                .build()
                .toByteArray();
    }

    public static DraftTask decode(byte[] bytes) {
        var in = Wire.parse(BusProto.DraftTask.parser(), bytes);
        return new DraftTask(in.getInstructions(), in.getInput(), in.getSchema(), Wire.small(in.getTokensMax()));
    }

    /// Tells sizes only: prompts are never logged.
    @Override
    public String toString() {
        return "DraftTask[instructions=%d, input=%d, schema=%d, tokensMax=%d]"
                .formatted(instructions.length(), input.length(), schema.length(), tokensMax);
    }
}
