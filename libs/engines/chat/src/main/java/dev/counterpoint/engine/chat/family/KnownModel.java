package dev.counterpoint.engine.chat.family;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a worker knows of the model behind its servers. A job keeps the one that held when the job began.
///
/// @param family of the model; null where it is of none that is known
/// @param thinking how text is told apart when the request lets the model think
/// @param quiet the same when the request has turned thinking off
/// @param control how the model is told to think or not to, as its server takes it: the family's switch or
///     the server's
/// @param switches whether `control` was tried and works; one that does not is not sent
/// @param tellsReasoning whether its server was seen to tell reasoning from the answer by itself
/// @param takesSchemas whether its server was seen to keep to a schema of `response_format`
/// @param schemasBesideTools whether it takes one in a request with tools, too, as the operator says
/// @param seesImages whether it takes images, as its server or the operator says
/// @param text for operators, without anything that the model said
public record KnownModel(
        @Nullable ModelFamily family,
        TextRule thinking,
        TextRule quiet,
        ThinkingSwitch control,
        boolean switches,
        boolean tellsReasoning,
        boolean takesSchemas,
        boolean schemasBesideTools,
        boolean seesImages,
        String text) {
    /// Stands in the text until the servers have answered and the model was tried; `up` waits for that.
    public static final String BEING_ASKED = "is being asked how it shows reasoning";

    /// What is known before anybody was asked: nothing, so that nothing unmarked is shown.
    ///
    /// @param marks that are looked for
    public static KnownModel unknown(List<MarkPair> marks, String text) {
        var rule = new TextRule(TextRule.Unmarked.UNKNOWN, marks, List.of(), false, "nobody was asked");
        return new KnownModel(null, rule, rule, ThinkingSwitch.NONE, false, false, false, false, false, text);
    }

    /// The same while the model is still being tried.
    public KnownModel beingAsked() {
        return with(seesImages, text + "; it " + BEING_ASKED);
    }

    /// The same where all of its servers take images, or not all.
    public KnownModel seeing(boolean images) {
        return with(images, text);
    }

    private KnownModel with(boolean images, String otherText) {
        return new KnownModel(
                family,
                thinking,
                quiet,
                control,
                switches,
                tellsReasoning,
                takesSchemas,
                schemasBesideTools,
                images,
                otherText);
    }

    /// The rule of a request.
    ///
    /// @param thinks whether the request lets the model think
    public TextRule rule(boolean thinks) {
        return thinks ? thinking : quiet;
    }
}
