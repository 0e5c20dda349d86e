package dev.counterpoint.gateway.fleet;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.servicekit.ProblemException;
import org.jspecify.annotations.Nullable;

/// Checks that a model can be asked for what a request wants.
public final class ModelAvailability {
    private static final String LOGPROBS = "logprobs";
    private static final String MESSAGES = "messages";
    private static final String IMAGES = "images";

    private ModelAvailability() {}

    /// The model as its workers serve it.
    ///
    /// @throws ProblemException 404 for a model that nobody serves, 503 for one whose workers are away
    public static Heartbeat.Model require(Fleet fleet, String name) {
        return fleet.model(name).orElseThrow(() -> {
            if (fleet.mayExist(name)) {
                var message = "No worker serves this model for the moment; try again shortly.";
                return new ProblemException(Problem.unavailable(message));
            }
            return new ProblemException(Problem.modelNotFound(name));
        });
    }

    /// True when the model takes messages under its own template instead of our tokens, because it is not a Harmony
    /// model.
    public static boolean takesMessages(Heartbeat.Model model) {
        return can(model, MESSAGES);
    }

    /// True when the model takes images in the messages of users.
    public static boolean takesImages(Heartbeat.Model model) {
        return can(model, IMAGES);
    }

    private static boolean can(Heartbeat.Model model, String ability) {
        return model.abilities().stream().anyMatch(ability::equalsIgnoreCase);
    }

    /// True when the model of this name is served now, and is such a one.
    public static boolean takesMessages(Fleet fleet, @Nullable String name) {
        return name != null
                && fleet.model(name).filter(ModelAvailability::takesMessages).isPresent();
    }

    /// @param asked whether the request has what is said in our tokens
    /// @param param the member that asks
    /// @throws WireException when the model has other tokens
    public static void requireTokens(Heartbeat.Model model, boolean asked, String param) {
        if (asked && takesMessages(model)) {
            throw new WireException(
                    param,
                    "unsupported_parameter",
                    "Unsupported parameter: '" + param
                            + "'. This model's tokens are its own and cannot be named or counted here.");
        }
    }

    /// @param asked how many alternatives, or null when no probabilities are asked for
    /// @param param the member that asks
    /// @throws WireException when the model's engine reports none
    public static void requireLogprobs(Heartbeat.Model model, @Nullable Integer asked, String param) {
        if (asked != null && model.abilities().stream().noneMatch(LOGPROBS::equalsIgnoreCase)) {
            throw new WireException(
                    param,
                    "unsupported_parameter",
                    "Unsupported parameter: '" + param + "'. This model reports no log probabilities.");
        }
    }
}
