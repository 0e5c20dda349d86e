package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Cuts a text into what the elements of a list are about: conditions, entries under a heading, or sentences.
final class PromptParts {
    private static final int PARTS_MAX = 8;
    private static final Pattern PART_END = Pattern.compile("[.;!?\\n](?: |$)|\\n| and (?=\\p{Lu})");
    /// Relations in words; a sign stands for itself.
    private static final Map<String, String> RELATIONS = Map.ofEntries(
            Map.entry("is not", "!="),
            Map.entry("is", "="),
            Map.entry("equals", "="),
            Map.entry("after", ">"),
            Map.entry("above", ">"),
            Map.entry("over", ">"),
            Map.entry("more than", ">"),
            Map.entry("at least", ">="),
            Map.entry("before", "<"),
            Map.entry("below", "<"),
            Map.entry("under", "<"),
            Map.entry("less than", "<"),
            Map.entry("at most", "<="),
            Map.entry(":", "="),
            Map.entry("==", "="));
    private static final Pattern CONDITION = Pattern.compile(
            "(?i)(?<![\\p{L}\\p{N}_])(\\p{L}[\\p{L}\\p{N}_.]{0,40}) ?(?: (is not|is|equals|after|above|over|more than"
                    + "|at least|before|below|under|less than|at most)(?= )|([!<>=]=|[<>=:])) ?"
                    + "(\"[^\"\\n]{1,80}\"|'[^'\\n]{1,80}'|[^\\s,;:!?]{1,60})");
    private static final Pattern NO_FIELD =
            Pattern.compile("(?i)today|tomorrow|yesterday|now|date|example|question|note|where|that|this");
    private static final Set<String> FIELDS =
            PromptWords.stems("field column attribute property criterion operator condition key filter");
    private static final Set<String> JOBS =
            PromptWords.stems("jobs job experience work employment positions position career roles history");
    private static final Pattern SEGMENT = Pattern.compile("(?:\\s[—–|-]\\s|, |\\s?\\(|\\)|:\\s| at )");
    private static final Pattern YEARS =
            Pattern.compile("(?i)\\b((?:19|20)\\d\\d)(?:\\s?(?:[–—-]|to)\\s?((?:19|20)\\d\\d|present|today|now))?");
    private static final Pattern ROLE = Pattern.compile("(?i).{0,60}\\b(?:engineer|developer|manager|designer|lead|"
            + "director|analyst|architect|scientist|consultant|intern|head|officer|assistant|programmer|teacher)\\b"
            + ".{0,60}");
    private static final Pattern BULLET = Pattern.compile("^[\\s*•-]{1,6}");

    private PromptParts() {}

    /// The parts of a text for the elements of a list.
    ///
    /// @param key the name of the list
    /// @param names of members that an element may begin with
    static List<PromptValues> of(String text, String key, List<String> names) {
        var conditions = hasAny(names, FIELDS) ? conditions(text) : List.<PromptValues>of();
        if (!conditions.isEmpty()) {
            return conditions;
        }
        var entries = hasAny(List.of(key), JOBS) ? entries(text) : List.<PromptValues>of();
        return entries.isEmpty() ? sentences(text, names) : entries;
    }

    /// The first line that is somebody's role; null where there is none.
    static @Nullable String role(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line ->
                        PromptWords.all(line).size() <= 6 && ROLE.matcher(line).matches())
                .findFirst()
                .orElse(null);
    }

    private static boolean hasAny(List<String> names, Set<String> stems) {
        return names.stream()
                .flatMap(name -> PromptWords.stems(PromptWords.ofIdentifier(name)).stream())
                .anyMatch(stems::contains);
    }

    private static List<PromptValues> conditions(String text) {
        return CONDITION
                .matcher(text)
                .results()
                .filter(found -> !PromptWords.isStopWord(found.group(1))
                        && !PromptWords.isStopWord(found.group(4))
                        && !NO_FIELD.matcher(found.group(1)).matches())
                .limit(PARTS_MAX)
                .map(found -> {
                    var sign = found.group(3) == null ? PromptWords.lower(found.group(2)) : found.group(3);
                    var value = found.group(4).replaceAll("^[\"']|[\"'.)]$", "");
                    return condition(found.group(1), RELATIONS.getOrDefault(sign, sign), value);
                })
                .toList();
    }

    private static PromptValues condition(String field, String relation, String value) {
        var said = PromptWords.object();
        for (var name : List.of("field", "column", "attribute", "property", "criterion", "key", "name")) {
            said.put(name, field);
        }
        said.put("operator", relation).put("op", relation).put("value", value);
        return new PromptValues(field + " " + relation + " " + value, said);
    }

    /// The lines under the heading of a career.
    private static List<PromptValues> entries(String text) {
        var entries = new ArrayList<PromptValues>();
        boolean under = false;
        for (var line : text.split("\n", -1)) {
            var bare = BULLET.matcher(line).replaceFirst("").strip();
            boolean heading =
                    PromptWords.all(bare).size() <= 3 && !YEARS.matcher(bare).find();
            if (heading) {
                under = hasAny(List.of(bare), JOBS);
            } else if (under && entries.size() < PARTS_MAX) {
                entries.add(new PromptValues(bare, job(bare)));
            }
        }
        return entries;
    }

    private static ObjectNode job(String line) {
        var said = PromptWords.object();
        Matcher years = YEARS.matcher(line);
        if (years.find()) {
            for (var name : List.of("years", "dates", "date", "period", "duration")) {
                said.put(name, years.group());
            }
            said.put("start", years.group(1)).put("start_year", years.group(1)).put("start_date", years.group(1));
            var end = years.group(2) == null ? years.group(1) : years.group(2);
            said.put("end", end).put("end_year", end).put("end_date", end);
        }
        for (var segment : SEGMENT.split(line, 8)) {
            var names = segment.isBlank() || YEARS.matcher(segment).find()
                    ? List.<String>of()
                    : ROLE.matcher(segment).matches()
                            ? List.of("role", "title", "position", "job_title")
                            : List.of("company", "employer", "organization", "name");
            names.stream().filter(name -> !said.has(name)).forEach(name -> said.put(name, segment.strip()));
        }
        return said;
    }

    /// Each sentence or clause that says something of its own.
    private static List<PromptValues> sentences(String text, List<String> names) {
        return PART_END.splitAsStream(text)
                .filter(part -> !part.isBlank())
                .map(part -> new PromptValues(part, PromptWords.object()))
                .filter(part -> names.stream().anyMatch(part::knows))
                .limit(PARTS_MAX)
                .toList();
    }
}
