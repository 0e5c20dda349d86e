package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.ModelFamily;

/// The family of a model, and by what it was known.
///
/// @param by in a few words, for operators
public record KnownFamily(ModelFamily family, String by) {}
