package dev.counterpoint.engine;

import java.util.Locale;

/// A fact about an engine that its operator should know: a code for programs, and a text for people.
public record EngineNotice(Code code, String text) {
    /// The kind of a notice.
    public enum Code {
        /// The engine still finds out what its servers are. No fault.
        BEING_EXAMINED,
        /// A server does not answer.
        SILENT,
        /// A server cannot serve as it is set up.
        UNFIT,
        /// A server has a much smaller context than the setting.
        CONTEXT,
        /// Some text of the model is withheld, because nothing separates it from reasoning.
        WITHHOLDS;

        /// As in readiness data: `engine-silent`.
        public String wireName() {
            return "engine-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
