package dev.counterpoint.harmony.render;

/// How to render: whose spelling, and which earlier reasoning to leave out.
public record RenderOptions(ReferenceCodec reference, DropRule dropRule) {
    /// The model's own spelling, and no reasoning of completed turns.
    public static RenderOptions production() {
        return new RenderOptions(ReferenceCodec.OSS_0_0_11, DropRule.COMPLETED_TURNS);
    }
}
