package dev.counterpoint.openai.responses;

/// An item of the input that the model was not shown.
///
/// @param id of the item
/// @param type of the item
/// @param action `removed`
/// @param reason `end_user_mismatch`, `model_mismatch`, `prefix_mismatch` or `turn_boundary`
public record InputTransformation(String id, String type, String action, String reason) {
    /// Reasoning that was left out.
    public static InputTransformation ofReasoning(String id, String reason) {
        return new InputTransformation(id, "reasoning", "removed", reason);
    }
}
