/** The simulated engine understands no language: a script under the question says what it does. */
final class StandIn {
    /**
     * Whether the content of an answer is known beforehand: that of a script, or of gpt-oss. The form is known of every
     * model.
     */
    static final boolean CHECKED = isSet("COUNTERPOINT_CHECKED");

    private StandIn() {}

    /** The question; with the script for the stand-in alone. */
    static String scripted(String question, String script) {
        return isSet("COUNTERPOINT_STAND_IN") ? question + "\n" + script : question;
    }

    private static boolean isSet(String variable) {
        return !System.getenv().getOrDefault(variable, "").isEmpty();
    }
}
