package dev.counterpoint.summarizer.describe;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What kind of work a user's message asks for: a model that is asked for a translation most likely translates where
/// its reasoning does not tell what it does.
final class RequestedWork {
    private static final Map<SummaryLanguage, RequestedWork> ALL = readAll();
    /// Characters at either end of a message, where users say what they want; what is pasted stands between.
    private static final int END_LENGTH = 400;

    /// As written in the language's list: the first is meant where several are asked for.
    private final Map<Activity, List<String>> cues = new LinkedHashMap<>();
    private final boolean unspaced;

    private RequestedWork(SummaryLanguage language) {
        unspaced = language.unspaced();
        for (var line : WordList.lines(RequestedWork.class, "requests/" + language.tag())) {
            var cells = line.split(" \\| ");
            var words = Arrays.stream(cells[1].split(",")).map(this::cue).toList();
            cues.put(Activity.valueOf(cells[0]), words);
        }
    }

    static @Nullable Activity of(String message, SummaryLanguage language) {
        var said = PastedLines.removed(message);
        var ends = said.length() <= 2 * END_LENGTH
                ? said
                : said.substring(0, END_LENGTH) + "\n" + said.substring(said.length() - END_LENGTH);
        var text = CueText.normal(ends);
        return Objects.requireNonNull(ALL.get(language)).cues.entrySet().stream()
                .filter(work -> work.getValue().stream().anyMatch(text::contains))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /// What can be asked for in a language.
    static Set<Activity> known(SummaryLanguage language) {
        return Objects.requireNonNull(ALL.get(language)).cues.keySet();
    }

    /// A beginning of words; a whole word where a full stop ends it; anywhere in a script without blanks.
    private String cue(String written) {
        var normal = CueText.normal(written).stripTrailing();
        var start = unspaced ? normal.strip() : normal;
        return written.strip().endsWith(".") ? start + " " : start;
    }

    private static Map<SummaryLanguage, RequestedWork> readAll() {
        var all = new EnumMap<SummaryLanguage, RequestedWork>(SummaryLanguage.class);
        for (var language : SummaryLanguage.values()) {
            all.put(language, new RequestedWork(language));
        }
        return all;
    }
}
