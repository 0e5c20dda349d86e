package dev.counterpoint.engine.chat.probe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.ModelFamily;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import dev.counterpoint.engine.chat.family.ModelFamily.Opener;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.chat.family.ThinkingSwitch.Setting;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Derives how a model shows reasoning in its text from facts of its servers, its family and the operator's settings.
/// Pure. In doubt text is withheld.
///
/// @param unmarked the meaning of text without marks by the operator's strategies; null leaves it to the family
/// @param strategies as the operator wrote them, for people
public record ModelRules(
        OperatorSettings settings, @Nullable Unmarked unmarked, String strategies) {
    private static final FamilyTable TABLE = FamilyTable.shared();
    /// Ollama's own switch, the only one that it takes: https://github.com/ollama/ollama/issues/14820
    private static final ThinkingSwitch OLLAMAS = new ThinkingSwitch(
            Setting.NONE, new Setting(JsonNodeFactory.instance.objectNode().put("reasoning_effort", "none"), ""), true);

    /// The knowledge before any server was asked.
    public KnownModel before(String model) {
        return KnownModel.unknown(marks(null), model + " is being asked how it shows reasoning");
    }

    public KnownModel of(ServerFacts facts) {
        var found = settings.family() == null ? facts.family().orElse(null) : settings.family();
        var family = found == null ? null : found.family();
        var rule = rule(facts, family);
        var control = control(facts, family);
        boolean switches = rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE
                && facts.kind().takesTemplateArguments()
                && !control.off().isEmpty();
        boolean schemas = settings.takes().schemas().orElse(facts.kind().enforcesSchemas());
        boolean images = settings.takes().images().orElse(facts.settings().contains(ServerFacts.SEES));
        var by = found == null
                ? "of no known family"
                : "family " + found.family().name() + " (" + found.by() + ")";
        var text = Stream.of(
                        facts.text() + ", " + by,
                        rule.why(),
                        facts.separatesReasoning() ? "its server separates reasoning" : "",
                        switches ? "requests can turn thinking off" : "",
                        schemas ? "its server enforces schemas" : "",
                        images ? "it takes images" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        return new KnownModel(
                family,
                rule,
                control,
                switches,
                facts.separatesReasoning(),
                schemas,
                settings.takes().schemasBesideTools(),
                images,
                text);
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
        var familys = family == null ? ThinkingSwitch.NONE : family.thinking();
        boolean own = facts.kind() == ServerKind.OLLAMA && facts.separatesReasoning();
        var found = own ? OLLAMAS : familys;
        return new ThinkingSwitch(
                found.on(), found.off(), settings.takes().efforts().orElse(found.effort()));
    }

    private TextRule rule(ServerFacts facts, @Nullable ModelFamily family) {
        if (unmarked != null) {
            var meaning = switch (unmarked) {
                case ANSWER, ANSWER_WHEN_WHOLE -> "the answer";
                case REASONING -> "reasoning";
                case UNKNOWN -> "withheld";
            };
            var why = "unmarked text is " + meaning + ", as worker.chat.reasoning=" + strategies + " says";
            return rule(family, unmarked, why);
        }
        if (family == null) {
            return unknown(facts, null, "of no known family");
        }
        return switch (family.form()) {
            case HARMONY -> rule(family, Unmarked.UNKNOWN, "its text is Harmony, which the worker parses");
            case PLAIN -> whole(facts, family, "its family shows no reasoning in its text");
            case MARKED -> marked(facts, family);
        };
    }

    private TextRule marked(ServerFacts facts, ModelFamily family) {
        var marks = marks(family).getFirst();
        return switch (opener(facts, family)) {
            case TEMPLATE ->
                rule(family, Unmarked.REASONING, "its template opens reasoning, which goes up to " + marks.close());
            case MODEL -> whole(facts, family, "reasoning stands between " + marks.open() + " and " + marks.close());
            case EITHER -> unknown(facts, family, "either its template or the model opens reasoning");
        };
    }

    /// A family that nobody read about does not make unmarked text the answer.
    private TextRule whole(ServerFacts facts, ModelFamily family, String why) {
        return family.sourceRead()
                ? rule(family, Unmarked.ANSWER_WHEN_WHOLE, why)
                : unknown(facts, family, "the source of its family was not read");
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
                ? TABLE.everyAnswerMarks().stream().filter(MarkPair::isControl).toList()
                : family.answer();
        return new TextRule(unmarked, marks(family), answer, harmony, why);
    }

    /// The operator's marks first, then the family's, then all others.
    private List<MarkPair> marks(@Nullable ModelFamily family) {
        return Stream.of(
                        settings.marks(), family == null ? List.<MarkPair>of() : family.reasoning(), TABLE.everyMarks())
                .flatMap(Collection::stream)
                .distinct()
                .toList();
    }
}
