package dev.counterpoint.engine.chat.family;

import java.util.List;

/// Models that show their reasoning alike.
///
/// @param name as documents and logs call it
/// @param form of what the model writes
/// @param reasoning marks around reasoning, those that the model writes itself first; empty where it
///     shows none
/// @param answer marks around the answer, which are not part of it; empty for most
/// @param opener who writes the opening mark
/// @param thinking how it is told to think or not to
/// @param callIds the form of call ids that its template takes
/// @param source where this is to be read
/// @param sourceRead whether somebody read it there; a row that nobody checked does not make unmarked text the
///     answer
public record ModelFamily(
        String name,
        Form form,
        List<MarkPair> reasoning,
        List<MarkPair> answer,
        Opener opener,
        ThinkingSwitch thinking,
        CallIds callIds,
        String source,
        boolean sourceRead) {
    public enum Form {
        /// Text with reasoning between marks.
        MARKED,
        /// Harmony, where its server does not take it apart.
        HARMONY,
        /// Answers only.
        PLAIN
    }

    /// Who writes the opening mark.
    public enum Opener {
        MODEL,
        /// The chat template, so that the text begins within reasoning.
        TEMPLATE,
        /// One or the other, as versions or requests differ.
        EITHER
    }

    /// The form of call ids that a template takes.
    public enum CallIds {
        ANY,
        /// Nine letters and digits, as Mistral's templates insist on.
        NINE
    }

    public ModelFamily {
        reasoning = List.copyOf(reasoning);
        answer = List.copyOf(answer);
    }
}
