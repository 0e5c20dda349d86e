package dev.counterpoint.engine.chat;

/// What an envelope may look like.
///
/// @param asked whether the model was told to write one
/// @param preface whether words may stand before it
/// @param formed whether the answer is JSON of a form, so that nothing may stand beside it
record EnvelopeTerms(boolean asked, boolean preface, boolean formed) {
    /// The terms of text within an envelope: nobody asked for another one.
    EnvelopeTerms within() {
        return new EnvelopeTerms(false, false, formed);
    }

    EnvelopeTerms withPreface(boolean other) {
        return new EnvelopeTerms(asked, other, formed);
    }
}
