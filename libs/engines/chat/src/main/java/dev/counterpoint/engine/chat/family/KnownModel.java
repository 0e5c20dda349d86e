package dev.counterpoint.engine.chat.family;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a worker knows of the model behind its servers. A job keeps the one that held when the job began.
///
/// @param family of the model; null where it is of none that is known
/// @param rule how the model shows reasoning in its text
/// @param control how a request turns thinking on or off, as its server takes it: the family's switch or the server's
/// @param switches whether `control` is sent
/// @param separatesReasoning whether its server separates reasoning from the answer, by its own statement
/// @param takesSchemas whether its server enforces a schema of `response_format`
/// @param schemasBesideTools whether it takes one in a request with tools, too, by the operator's setting
/// @param seesImages whether it takes images, by its server's statement or the operator's setting
/// @param text for operators, without anything that the model said
public record KnownModel(
        @Nullable ModelFamily family,
        TextRule rule,
        ThinkingSwitch control,
        boolean switches,
        boolean separatesReasoning,
        boolean takesSchemas,
        boolean schemasBesideTools,
        boolean seesImages,
        String text) {
    /// The knowledge before any server was asked: text without marks is withheld.
    ///
    /// @param marks that are looked for
    public static KnownModel unknown(List<MarkPair> marks, String text) {
        var rule = new TextRule(TextRule.Unmarked.UNKNOWN, marks, List.of(), false, "nobody was asked");
        return new KnownModel(null, rule, ThinkingSwitch.NONE, false, false, false, false, false, text);
    }

    /// The same where all of its servers take images, or not all.
    public KnownModel seeing(boolean images) {
        return new KnownModel(
                family, rule, control, switches, separatesReasoning, takesSchemas, schemasBesideTools, images, text);
    }
}
