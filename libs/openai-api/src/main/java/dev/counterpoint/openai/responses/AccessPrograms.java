package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;

/// The access programs that served a response; `cyber` is `standard`, `daybreak_blue` or `daybreak_red`.
public record AccessPrograms(String cyber, Others others) {}
