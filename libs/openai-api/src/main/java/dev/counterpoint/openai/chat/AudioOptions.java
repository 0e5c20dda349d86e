package dev.counterpoint.openai.chat;

/// How a spoken answer is to be; `format` is `wav`, `aac`, `mp3`, `flac`, `opus` or `pcm16`.
public record AudioOptions(Voice voice, String format) {}
