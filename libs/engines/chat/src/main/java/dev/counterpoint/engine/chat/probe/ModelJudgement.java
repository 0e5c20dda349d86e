package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.ModelFamily;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import dev.counterpoint.engine.chat.family.ModelFamily.Opener;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.chat.probe.Showing.Outcome;
import dev.counterpoint.engine.chat.probe.Shown.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What follows for the text of a model from what its server tells, from its family, from what came of
/// trying it, and from the operator's word. Pure. In doubt text is not shown.
public final class ModelJudgement {
    private final OperatorWord word;
    private final FamilyTable table;

    public ModelJudgement(OperatorWord word, FamilyTable table) {
        this.word = word;
        this.table = table;
    }

    /// The family, if it is of one that is known.
    public Optional<KnownFamily> family(ServerFacts facts) {
        return Optional.ofNullable(word.family()).or(() -> KnownFamily.of(facts, table));
    }

    /// How the model is told to think or not to, if it can be told.
    public ThinkingSwitch control(ServerFacts facts) {
        var own = facts.kind().ownSwitch();
        var found = own != null && facts.settings().contains(ServerFacts.CAN_THINK)
                ? own
                : family(facts).map(known -> known.family().thinking()).orElse(ThinkingSwitch.NONE);
        return new ThinkingSwitch(
                found.on(), found.off(), word.takes().efforts().orElse(found.effort()));
    }

    /// Nobody was asked yet.
    public KnownModel before(String model) {
        return KnownModel.unknown(marks(null, null), model + " " + KnownModel.BEING_ASKED);
    }

    /// The result for one server.
    public KnownModel of(ServerFacts facts, Trial trial) {
        var found = family(facts).orElse(null);
        var family = found == null ? null : found.family();
        var looked = marks(family, null);
        int pair = TrialQuestion.PAIR.size();
        var on = Showing.of(trial.on(), pair, looked);
        var off = Showing.of(trial.off(), pair, looked);
        boolean switches = on.reasons() && off.outcome() == Outcome.NO_REASONING;
        // A switch that does nothing is not sent, so requests are as those that said nothing of thinking.
        var showing = switches ? on : Showing.of(trial.plain(), pair, looked);
        boolean asked = trial != Trial.NONE;
        var thinking = rule(new Case(facts, family, showing, asked, false));
        var quiet = switches ? rule(new Case(facts, family, off, asked, true)) : thinking;
        boolean schemas = word.takes().schemas().orElse(trial.schema());
        boolean told = showing.outcome() == Outcome.TOLD_BY_SERVER;
        var text = new ArrayList<String>();
        text.add(facts.text() + ", "
                + (found == null
                        ? "of no known family"
                        : "family " + found.family().name() + " (" + found.by() + ")"));
        text.add(thinking.why());
        if (switches) {
            text.add("thinking can be turned off (tried)");
        } else if (!trial.off().isEmpty() && on.reasons()) {
            text.add("thinking cannot be turned off (tried)");
        }
        if (schemas) {
            text.add("schemas are enforced by its server" + (trial.schema() ? " (tried)" : ""));
        }
        boolean images = word.takes().images().orElse(facts.settings().contains(ServerFacts.SEES));
        if (images) {
            text.add("images are taken");
        }
        return new KnownModel(
                family,
                thinking,
                quiet,
                control(facts),
                switches,
                told,
                schemas,
                word.takes().schemasBesideTools(),
                images,
                String.join("; ", text));
    }

    /// The result for several servers that are to serve the same model. Where they differ, what holds for
    /// all of them.
    ///
    /// @param each the results for each; at least one
    public KnownModel common(List<KnownModel> each) {
        var first = each.getFirst();
        if (each.stream().allMatch(other -> alike(first, other))) {
            return first.seeing(each.stream().allMatch(KnownModel::seesImages));
        }
        boolean family = each.stream().allMatch(other -> Objects.equals(other.family(), first.family()));
        var why = "its servers differ, so what no mark tells apart is withheld";
        var all = each.stream()
                .flatMap(known -> known.thinking().reasoning().stream())
                .distinct()
                .toList();
        var answer = each.stream()
                .flatMap(known -> known.thinking().answer().stream())
                .distinct()
                .toList();
        boolean harmony = each.stream().anyMatch(known -> known.thinking().harmony());
        var rule = new TextRule(Unmarked.UNKNOWN, all, answer, harmony, why);
        return new KnownModel(
                family ? first.family() : null,
                rule,
                rule,
                first.control(),
                false,
                each.stream().allMatch(KnownModel::tellsReasoning),
                each.stream().allMatch(KnownModel::takesSchemas),
                word.takes().schemasBesideTools(),
                each.stream().allMatch(KnownModel::seesImages),
                each.stream().map(KnownModel::text).distinct().collect(Collectors.joining(" | ", why + ": ", "")));
    }

    private static boolean alike(KnownModel one, KnownModel other) {
        return Objects.equals(one.family(), other.family())
                && one.thinking().unmarked() == other.thinking().unmarked()
                && one.thinking().harmony() == other.thinking().harmony()
                && one.quiet().unmarked() == other.quiet().unmarked()
                && one.switches() == other.switches()
                && one.tellsReasoning() == other.tellsReasoning()
                && one.takesSchemas() == other.takesSchemas();
    }

    /// What a rule depends on.
    ///
    /// @param asked whether the model was tried
    /// @param contrast whether the model was seen to reason when it was asked to, so that it is known not
    ///     to now
    private record Case(
            ServerFacts facts, @Nullable ModelFamily family, Showing showing, boolean asked, boolean contrast) {}

    private TextRule rule(Case of) {
        var unmarked = word.unmarked();
        if (unmarked != null) {
            return rule(
                    of,
                    unmarked,
                    "unmarked text is " + told(unmarked) + ", as worker.chat.reasoning=" + word.strategies() + " says");
        }
        return switch (of.showing.outcome()) {
            case TOLD_BY_SERVER -> rule(of, Unmarked.ANSWER, "reasoning is told by the server (tried)");
            case MODEL_OPENS -> rule(of, Unmarked.ANSWER_WHEN_WHOLE, between(of) + " (tried)");
            case TEMPLATE_OPENS -> rule(of, Unmarked.REASONING, upTo(of) + " (tried)");
            case HARMONY ->
                rule(of, Unmarked.UNKNOWN, "its server does not take Harmony apart, the worker does (tried)");
            case NO_REASONING -> withoutReasoning(of);
            case NOT_TRIED, UNCLEAR -> byFamily(of);
        };
    }

    private TextRule withoutReasoning(Case of) {
        var family = of.family;
        if (family == null || family.form() == Form.PLAIN || of.contrast) {
            return rule(of, Unmarked.ANSWER, "it shows no reasoning in its text (tried)");
        }
        return rule(
                of,
                Unmarked.ANSWER_WHEN_WHOLE,
                "it showed no reasoning when tried, but its family can: answers are shown when they are whole");
    }

    /// What was seen must not speak against the family.
    private TextRule byFamily(Case of) {
        var family = of.family;
        boolean tried = of.showing.outcome() != Outcome.NOT_TRIED;
        var untried = of.asked ? "nothing came in the trial" : "not tried";
        var why = " (" + (tried ? "the trial said nothing else" : untried) + ")";
        if (family == null) {
            return unknown(of, tried ? "its answers in the trial were other than asked for" : untried);
        }
        if (family.form() == Form.HARMONY) {
            return rule(of, Unmarked.UNKNOWN, "its text is Harmony, which the worker takes apart" + why);
        }
        boolean unread = !family.sourceRead() && (family.form() == Form.PLAIN || opener(of, family) == Opener.MODEL);
        if (unread) {
            return unknown(of, "the source of its family was not read");
        }
        boolean opens = of.showing.only(Way.OPENED, Way.EXACT, Way.UNTOLD, Way.CUT);
        if (family.form() == Form.PLAIN) {
            return of.showing.only(Way.EXACT, Way.UNTOLD, Way.CUT)
                    ? rule(of, Unmarked.ANSWER_WHEN_WHOLE, "its family shows no reasoning in its text" + why)
                    : unknown(of, "the trial says other things than its family");
        }
        return switch (opener(of, family)) {
            case MODEL ->
                opens
                        ? rule(of, Unmarked.ANSWER_WHEN_WHOLE, between(of) + why)
                        : unknown(of, "the trial says other things than its family");
            case TEMPLATE ->
                of.showing.only(Way.CLOSED, Way.CUT)
                        ? rule(of, Unmarked.REASONING, upTo(of) + why)
                        : unknown(of, "the trial says other things than its family");
            case EITHER -> unknown(of, "either its template or the model opens reasoning");
        };
    }

    /// A template that is known says it for this very model; where family and template do not agree it is
    /// open.
    private static Opener opener(Case of, ModelFamily family) {
        var template = of.facts.template();
        var read = template == null ? Opener.EITHER : TemplateText.opener(template, family.reasoning());
        return switch (read) {
            case EITHER -> family.opener();
            case TEMPLATE -> Opener.TEMPLATE;
            case MODEL -> family.opener() == Opener.TEMPLATE ? Opener.EITHER : Opener.MODEL;
        };
    }

    private TextRule unknown(Case of, String why) {
        return rule(
                of,
                Unmarked.UNKNOWN,
                "it is not known how it shows reasoning (" + why + "): what no mark tells apart is withheld");
    }

    private TextRule rule(Case of, Unmarked unmarked, String why) {
        var family = of.family;
        boolean harmony = of.showing.outcome() == Outcome.HARMONY || family != null && family.form() == Form.HARMONY;
        return new TextRule(unmarked, marks(family, of.showing.marks()), answerMarks(family), harmony, why);
    }

    /// Of a model that nobody knows, control tokens alone: other marks may be wanted in an answer.
    private List<MarkPair> answerMarks(@Nullable ModelFamily family) {
        return family == null
                ? table.everyAnswerMarks().stream().filter(MarkPair::isControl).toList()
                : family.answer();
    }

    private String between(Case of) {
        var marks = marks(of.family, of.showing.marks()).getFirst();
        return "reasoning stands between " + marks.open() + " and " + marks.close();
    }

    private String upTo(Case of) {
        var marks = marks(of.family, of.showing.marks()).getFirst();
        return "its template opens reasoning, which goes up to " + marks.close();
    }

    /// Those that were seen first, then the operator's, the family's, and all others.
    private List<MarkPair> marks(@Nullable ModelFamily family, @Nullable MarkPair seen) {
        return Stream.of(
                        Stream.ofNullable(seen),
                        word.marks().stream(),
                        family == null ? Stream.<MarkPair>empty() : family.reasoning().stream(),
                        table.everyMarks().stream())
                .flatMap(marks -> marks)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static String told(Unmarked unmarked) {
        return switch (unmarked) {
            case ANSWER, ANSWER_WHEN_WHOLE -> "the answer";
            case REASONING -> "reasoning";
            case UNKNOWN -> "withheld";
        };
    }
}
