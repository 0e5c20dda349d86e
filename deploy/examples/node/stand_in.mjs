// The simulated engine understands no language: a script under the question says what it does.

// Whether the content of an answer is known beforehand: that of a script, or of gpt-oss. The form is known of every model.
export const checked = Boolean(process.env.COUNTERPOINT_CHECKED);

/** The question; with the script for the stand-in alone. */
export const scripted = (question, script) => (process.env.COUNTERPOINT_STAND_IN ? `${question}\n${script}` : question);
