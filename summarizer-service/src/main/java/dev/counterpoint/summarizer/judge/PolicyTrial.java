package dev.counterpoint.summarizer.judge;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Command that checks an operator's policy and tries it on recorded cases: `PolicyTrial <policy.json>
/// [<cases.jsonl>]`. The report goes to standard output. It counts, and names cases by their ids; nothing of their
/// text is in it. The exit status is 1 if the policy is not valid or a case that has to be refused is shown.
public final class PolicyTrial {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /// A part that somebody wrote, and what the judge should say.
    ///
    /// @param expect `show` or `refuse`
    record Case(
            String id,
            String language,
            String expect,
            @Nullable List<String> confidential,
            @Nullable String reasoning,
            String title,
            String text) {
        Verdict judged(JudgePolicy policy) {
            var judge = new PartJudge(confidential == null ? List.of() : confidential, policy);
            judge.reasoned(reasoning == null ? "" : reasoning);
            return judge.judge(
                    new SummaryPart(title, text), SummaryLanguage.valueOf(language.toUpperCase(Locale.ROOT)));
        }

        boolean isToBeShown() {
            return switch (expect) {
                case "show" -> true;
                case "refuse" -> false;
                default -> throw new IllegalArgumentException("expect is show or refuse");
            };
        }

        @Override
        public String toString() {
            return "Case[" + id + "]";
        }
    }

    /// What came out, without content.
    ///
    /// @param leaked ids of cases that are shown and have to be refused
    /// @param overBlocked ids of cases that are refused and have to be shown
    /// @param overBlockedBy of these, how many by each filter and language
    /// @param refusedBy all refused cases by filter
    record Report(
            int cases,
            int shown,
            List<String> leaked,
            @JsonProperty("over_blocked") List<String> overBlocked,
            @JsonProperty("over_blocked_by") Map<String, Integer> overBlockedBy,
            @JsonProperty("refused_by") Map<String, Integer> refusedBy) {}

    private PolicyTrial() {}

    public static void main(String[] arguments) throws IOException {
        System.exit(run(arguments, System.out));
    }

    static int run(String[] arguments, Appendable out) throws IOException {
        if (arguments.length < 1 || arguments.length > 2) {
            out.append("usage: PolicyTrial <policy.json> [<cases.jsonl>]\n");
            return 2;
        }
        try {
            var policy = PolicyFile.read(Path.of(arguments[0])).judgePolicy();
            var report = report(policy, arguments.length < 2 ? List.of() : cases(Path.of(arguments[1])));
            out.append(JSON.writeValueAsString(report)).append('\n');
            return report.leaked.isEmpty() ? 0 : 1;
        } catch (IllegalArgumentException e) {
            out.append(String.valueOf(e.getMessage())).append('\n');
            return 1;
        }
    }

    private static List<Case> cases(Path file) throws IOException {
        var cases = new ArrayList<Case>();
        int number = 0;
        for (var line : Files.readAllLines(file)) {
            number++;
            try {
                cases.add(JSON.readValue(line, Case.class));
            } catch (JsonProcessingException e) {
                // The parser's own message quotes the line.
                throw new IllegalArgumentException("line " + number + " of the cases is no case");
            }
        }
        return cases;
    }

    static Report report(JudgePolicy policy, List<Case> cases) {
        int shown = 0;
        var leaked = new ArrayList<String>();
        var overBlocked = new ArrayList<String>();
        var overBlockedBy = new TreeMap<String, Integer>();
        var refusedBy = new TreeMap<String, Integer>();
        for (var it : cases) {
            boolean expected = it.isToBeShown();
            switch (it.judged(policy)) {
                case Verdict.Shown _ -> {
                    shown++;
                    if (!expected) {
                        leaked.add(it.id);
                    }
                }
                case Verdict.Refused(var by) -> {
                    var filter = by.name().toLowerCase(Locale.ROOT);
                    refusedBy.merge(filter, 1, Integer::sum);
                    if (expected) {
                        overBlocked.add(it.id);
                        overBlockedBy.merge(filter + " " + it.language, 1, Integer::sum);
                    }
                }
            }
        }
        return new Report(cases.size(), shown, leaked, overBlocked, overBlockedBy, refusedBy);
    }
}
