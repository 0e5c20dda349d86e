package dev.counterpoint.harmony.render;

/// The published codec whose behaviour is reproduced.
public enum ReferenceCodec {
    /// openai/harmony 0.0.8: recipient before channel.
    OPENAI_0_0_8,
    /// oss-harmony 0.0.11: on commentary the channel comes first, content types get `<|constrain|>`. The model's own
    /// spelling, hence the default.
    OSS_0_0_11
}
