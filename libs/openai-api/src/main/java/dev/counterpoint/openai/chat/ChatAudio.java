package dev.counterpoint.openai.chat;

/// A spoken answer.
///
/// @param expiresAt seconds since 1970, until when `id` can be sent back
/// @param data base64 in the format that the request wanted
public record ChatAudio(String id, long expiresAt, String data, String transcript) {
    /// A spoken answer that comes back by its id.
    public record Reference(String id) {}
}
