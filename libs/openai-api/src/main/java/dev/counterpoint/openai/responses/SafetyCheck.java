package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// A warning about what a computer is about to do; `code` names the kind, `message` tells it to people.
public record SafetyCheck(
        String id, @Nullable String code, @Nullable String message, Others others) {}
