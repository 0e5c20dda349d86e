package dev.counterpoint.harmony.render;

/// How to render: whose spelling, and which earlier reasoning to leave out.
public record RenderOptions(Reference reference, DropRule dropRule) {
    /// The model's own spelling, and no reasoning of completed turns.
    public static RenderOptions production() {
        return new RenderOptions(Reference.OSS_0_0_11, DropRule.COMPLETED_TURNS);
    }
}
