package dev.counterpoint.engine.chat;

/// The form in which an envelope is accepted.
///
/// @param asked whether the request asked the model for one
/// @param preface whether words may precede it
/// @param formed whether the answer is JSON of a form, so that nothing may accompany it
/// @param own whether the client's own form has members of an envelope, so that no envelope is opened
record EnvelopeTerms(boolean asked, boolean preface, boolean formed, boolean own) {
    EnvelopeTerms with(boolean askedFor, boolean anyPreface) {
        return new EnvelopeTerms(askedFor, anyPreface, formed, own);
    }
}
