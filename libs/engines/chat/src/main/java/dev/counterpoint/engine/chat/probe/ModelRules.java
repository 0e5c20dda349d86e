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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Derives how a model shows reasoning in its text from facts of its servers, its family and the operator's settings.
/// Pure. In doubt text is withheld.
public final class ModelRules {
    private final OperatorSettings settings;
    private final FamilyTable table;

    public ModelRules(OperatorSettings settings, FamilyTable table) {
        this.settings = settings;
        this.table = table;
    }

    /// The knowledge before any server was asked.
    public KnownModel before(String model) {
        return KnownModel.unknown(marks(null), model + " " + KnownModel.BEING_ASKED);
    }

    public KnownModel of(ServerFacts facts) {
        var found = settings.family() == null ? KnownFamily.of(facts, table).orElse(null) : settings.family();
        var family = found == null ? null : found.family();
        var rule = rule(facts, family);
        var control = control(facts, family);
        boolean switches = rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE
                && facts.kind().takesTemplateArguments()
                && !control.off().isEmpty();
        boolean schemas = settings.takes().schemas().orElse(facts.kind().enforcesSchemas());
        boolean images = settings.takes().images().orElse(facts.settings().contains(ServerFacts.SEES));
        var text = new ArrayList<String>();
        text.add(facts.text() + ", "
                + (found == null
                        ? "of no known family"
                        : "family " + found.family().name() + " (" + found.by() + ")"));
        text.add(rule.why());
        if (facts.separatesReasoning()) {
            text.add("its server separates reasoning");
        }
        if (switches) {
            text.add("requests can turn thinking off");
        }
        if (schemas) {
            text.add("its server enforces schemas");
        }
        if (images) {
            text.add("it takes images");
        }
        return new KnownModel(
                family,
                rule,
                control,
                switches,
                facts.separatesReasoning(),
                schemas,
                settings.takes().schemasBesideTools(),
                images,
                String.join("; ", text));
    }

    /// The result for several servers that are to serve the same model. Where they differ, text without marks is
    /// withheld.
    ///
    /// @param each the results for each; at least one
    public KnownModel common(List<KnownModel> each) {
        var first = each.getFirst();
        boolean images = each.stream().allMatch(KnownModel::seesImages);
        if (each.stream().allMatch(other -> alike(first, other))) {
            return first.seeing(images);
        }
        boolean family = each.stream().allMatch(other -> Objects.equals(other.family(), first.family()));
        var why = "its servers differ, so text without reasoning marks is withheld";
        boolean harmony = each.stream().anyMatch(known -> known.rule().harmony());
        var rule = new TextRule(Unmarked.UNKNOWN, marks(null), List.of(), harmony, why);
        return new KnownModel(
                family ? first.family() : null,
                rule,
                first.control(),
                false,
                each.stream().allMatch(KnownModel::separatesReasoning),
                each.stream().allMatch(KnownModel::takesSchemas),
                settings.takes().schemasBesideTools(),
                images,
                each.stream().map(KnownModel::text).distinct().collect(Collectors.joining(" | ", why + ": ", "")));
    }

    private static boolean alike(KnownModel one, KnownModel other) {
        return Objects.equals(one.family(), other.family())
                && one.rule().unmarked() == other.rule().unmarked()
                && one.rule().harmony() == other.rule().harmony()
                && one.switches() == other.switches()
                && one.separatesReasoning() == other.separatesReasoning()
                && one.takesSchemas() == other.takesSchemas();
    }

    /// How requests turn thinking on or off, if they can.
    private ThinkingSwitch control(ServerFacts facts, @Nullable ModelFamily family) {
        var own = facts.kind().ownSwitch();
        var found = own != null && facts.settings().contains(ServerFacts.CAN_THINK)
                ? own
                : family == null ? ThinkingSwitch.NONE : family.thinking();
        return new ThinkingSwitch(
                found.on(), found.off(), settings.takes().efforts().orElse(found.effort()));
    }

    private TextRule rule(ServerFacts facts, @Nullable ModelFamily family) {
        var unmarked = settings.unmarked();
        if (unmarked != null) {
            var meaning = switch (unmarked) {
                case ANSWER, ANSWER_WHEN_WHOLE -> "the answer";
                case REASONING -> "reasoning";
                case UNKNOWN -> "withheld";
            };
            return rule(
                    family,
                    unmarked,
                    "unmarked text is " + meaning + ", as worker.chat.reasoning=" + settings.strategies() + " says");
        }
        if (family == null) {
            return unknown(facts, null, "of no known family");
        }
        return switch (family.form()) {
            case HARMONY -> rule(family, Unmarked.UNKNOWN, "its text is Harmony, which the worker parses");
            case PLAIN ->
                family.sourceRead()
                        ? rule(family, Unmarked.ANSWER_WHEN_WHOLE, "its family shows no reasoning in its text")
                        : unknown(facts, family, "the source of its family was not read");
            case MARKED -> marked(facts, family);
        };
    }

    private TextRule marked(ServerFacts facts, ModelFamily family) {
        var marks = marks(family).getFirst();
        return switch (opener(facts, family)) {
            case TEMPLATE ->
                rule(family, Unmarked.REASONING, "its template opens reasoning, which goes up to " + marks.close());
            case MODEL ->
                family.sourceRead()
                        ? rule(
                                family,
                                Unmarked.ANSWER_WHEN_WHOLE,
                                "reasoning stands between " + marks.open() + " and " + marks.close())
                        : unknown(facts, family, "the source of its family was not read");
            case EITHER -> unknown(facts, family, "either its template or the model opens reasoning");
        };
    }

    /// A template that is known says it for this very model; where family and template do not agree it is open.
    private static Opener opener(ServerFacts facts, ModelFamily family) {
        var template = facts.template();
        var read = template == null ? Opener.EITHER : TemplateText.opener(template, family.reasoning());
        return switch (read) {
            case EITHER -> family.opener();
            case TEMPLATE -> Opener.TEMPLATE;
            case MODEL -> family.opener() == Opener.TEMPLATE ? Opener.EITHER : Opener.MODEL;
        };
    }

    /// A server that separates reasoning leaves marks in the text where it fails to, so text without any is the answer.
    private TextRule unknown(ServerFacts facts, @Nullable ModelFamily family, String why) {
        return facts.separatesReasoning()
                ? rule(family, Unmarked.ANSWER_WHEN_WHOLE, "text without reasoning marks is the answer")
                : rule(
                        family,
                        Unmarked.UNKNOWN,
                        "it is not known how it shows reasoning (" + why
                                + "): text without reasoning marks is withheld");
    }

    private TextRule rule(@Nullable ModelFamily family, Unmarked unmarked, String why) {
        boolean harmony = family != null && family.form() == Form.HARMONY;
        // In the text of a model that nobody knows other marks may belong to the answer.
        var answer = family == null
                ? table.everyAnswerMarks().stream().filter(MarkPair::isControl).toList()
                : family.answer();
        return new TextRule(unmarked, marks(family), answer, harmony, why);
    }

    /// The operator's marks first, then the family's, then all others.
    private List<MarkPair> marks(@Nullable ModelFamily family) {
        return Stream.of(
                        settings.marks(), family == null ? List.<MarkPair>of() : family.reasoning(), table.everyMarks())
                .flatMap(Collection::stream)
                .distinct()
                .toList();
    }
}
