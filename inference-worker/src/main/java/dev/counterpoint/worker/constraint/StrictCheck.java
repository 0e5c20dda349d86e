package dev.counterpoint.worker.constraint;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice.Mode;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.CallMender;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.TooComplexException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads an output and detects where it violates a strict requirement of its job: an answer or arguments by a
/// strict schema, an input by a grammar, any object in JSON mode, a call that must come. It works with every engine
/// and ignores requirements that are not strict. A value may have its properties in any order.
///
/// Not thread-safe.
public final class StrictCheck {
    private final HarmonyParser parser = new HarmonyParser(Role.ASSISTANT);
    private final CallMender mender;
    private final FunctionNames callable;
    private GenerationJob.ToolChoice choice;
    private final Map<String, Constraint> arguments = new HashMap<>();
    private final @Nullable Constraint answer;
    /// Of the value that is being said.
    private @Nullable Matcher value;
    private boolean answered;
    private boolean called;
    private boolean broken;
    private boolean tooComplex;

    private StrictCheck(FunctionNames callable, GenerationJob.ToolChoice choice, @Nullable Constraint answer) {
        mender = new CallMender(callable, this::take);
        this.callable = callable;
        this.choice = choice;
        this.answer = answer;
    }

    /// @param callable the functions that the answer may call
    /// @return null when the job demands nothing strictly
    /// @throws IllegalArgumentException when a strict schema cannot be enforced
    public static @Nullable StrictCheck of(String tenant, GenerationJob job, FunctionNames callable) {
        var format = job.format();
        boolean strictAnswer = format != null && format.mustFit();
        boolean strictCalls = job.tools().stream().anyMatch(GenerationJob.FunctionTool::mustFit);
        boolean forced = job.choice().forcesCall();
        if (!strictAnswer && !forced && (!strictCalls || job.choice().mode() == Mode.NONE)) {
            return null;
        }
        var constraints = TurnConstraints.shared();
        var check = new StrictCheck(
                callable,
                job.choice(),
                strictAnswer && format != null ? constraints.ofValue(tenant, format.schema()) : null);
        for (var tool : job.tools()) {
            var input = tool.input();
            if (input != null) {
                check.arguments.put(tool.name(), constraints.ofInput(tenant, input));
            } else if (tool.strict()) {
                check.arguments.put(tool.name(), constraints.ofValue(tenant, tool.parameters()));
            }
        }
        return check;
    }

    /// Checks the next token of the output.
    ///
    /// @return false from the first violation on: the token must not be shown
    public boolean accept(int token) {
        if (!broken) {
            parser.accept(token, mender);
        }
        return !broken;
    }

    /// The model came to its end by itself.
    ///
    /// @return whether all that the job demands is there
    public boolean finish() {
        parser.finish(mender);
        boolean there = called || !choice.forcesCall() && (answer == null || answered);
        return there && !broken;
    }

    /// The model continues behind a prompt of its own, after the call that it had to make.
    public void goOn() {
        parser.begin(Role.ASSISTANT);
        choice = GenerationJob.ToolChoice.AUTO;
    }

    private void take(HarmonyEvent event) {
        switch (event) {
            case HarmonyEvent.MessageStarted started -> start(started);
            case HarmonyEvent.TextDelta(String text) -> broken |= value != null && !follows(value, text);
            case HarmonyEvent.MessageEnded _ -> {
                broken |= value != null && !value.accepting();
                value = null;
            }
            case HarmonyEvent.Repaired _ -> {}
        }
    }

    private void start(HarmonyEvent.MessageStarted started) {
        var recipient = started.recipient();
        if (recipient == null && Channels.FINAL.equals(started.channel())) {
            // Two answers are one text to the caller.
            broken |= answer != null && answered;
            answered = true;
            value = answer == null ? null : answer.start();
        } else if (recipient != null) {
            var name = callable.resolve(recipient);
            if (name != null) {
                broken |= choice.mode() == Mode.FUNCTION && !name.equals(choice.name());
                called = true;
                var constraint = arguments.get(name);
                value = constraint == null ? null : constraint.start();
            }
        }
    }

    /// True if the output could not be followed further, because the form of the value is too complex.
    public boolean tooComplex() {
        return tooComplex;
    }

    private boolean follows(Matcher matcher, String text) {
        try {
            return matcher.accept(text.getBytes(StandardCharsets.UTF_8));
        } catch (TooComplexException _) {
            // Unchecked output must not be shown.
            tooComplex = true;
            return false;
        }
    }
}
