package dev.counterpoint.engine.simulated;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer of one skill.
///
/// @param thoughts how the skill got there, one step each, for the reasoning
/// @param tool bare name of the declared function to call; null to answer the user
/// @param text of the final message, or the call's arguments as JSON
/// @param essence the bare result, for a JSON member that wants only that
record SkillAnswer(List<String> thoughts, @Nullable String tool, String text, String essence) {
    static SkillAnswer say(List<String> thoughts, String text, String essence) {
        return new SkillAnswer(thoughts, null, text, essence);
    }

    static SkillAnswer say(String thought, String text) {
        return say(List.of(thought), text, text);
    }

    /// One kind of question and how to answer it. Without state.
    interface Skill {
        /// The answer, or null when the prompt asks for something else.
        @Nullable
        SkillAnswer answer(PromptContent prompt);
    }
}
