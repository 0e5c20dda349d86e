package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The file of one language: templates, names of subjects, cues of activities, and frequent words.
///
/// @param frames sentences and titles around a value, by `title`, `subject` and `phrase`
/// @param stopWords frequent words that only carry grammar
public record LanguageFile(
        Map<String, String> frames,
        Map<Activity, String> titles,
        Map<Activity, List<String>> sentences,
        Map<Subject, String> subjects,
        Map<Activity, List<String>> cues,
        Set<String> stopWords) {
    private static final Map<SummaryLanguage, LanguageFile> ALL = readAll();

    public static LanguageFile of(SummaryLanguage language) {
        return Objects.requireNonNull(ALL.get(language));
    }

    /// The cues that belong to no language: signs.
    static LanguageFile common() {
        return Common.FILE;
    }

    /// Titles, sentences and subjects, which summaries may show for any reasoning.
    public Stream<String> templates() {
        return Stream.of(titles.values(), flat(sentences.values()), subjects.values())
                .flatMap(Collection::stream);
    }

    /// Everything that is written in the language.
    Stream<String> texts() {
        var others = Stream.of(frames.values(), flat(cues.values()), stopWords).flatMap(Collection::stream);
        return Stream.concat(templates(), others);
    }

    private static List<String> flat(Collection<List<String>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }

    private static Map<SummaryLanguage, LanguageFile> readAll() {
        var all = new EnumMap<SummaryLanguage, LanguageFile>(SummaryLanguage.class);
        for (var language : SummaryLanguage.values()) {
            all.put(language, read(language.tag()));
        }
        return all;
    }

    private static LanguageFile read(String name) {
        var file = new LanguageFile(
                new HashMap<>(),
                new EnumMap<>(Activity.class),
                new EnumMap<>(Activity.class),
                new EnumMap<>(Subject.class),
                new EnumMap<>(Activity.class),
                new HashSet<>());
        WordList.lines(LanguageFile.class, name).forEach(file::add);
        return file;
    }

    private void add(String line) {
        var cells = new ArrayList<String>();
        for (var cell : line.split("\\|", -1)) {
            cells.add(cell.strip());
        }
        var key = cells.getFirst();
        if (key.equals("@stop")) {
            Arrays.stream(cells.get(1).split(" ")).map(Cue::normal).forEach(stopWords::add);
        } else if (key.startsWith("@")) {
            frames.put(key.substring(1), cells.get(1));
        } else if (cells.size() == 2) {
            refuse(subjects.put(Subject.valueOf(key), cells.get(1)), line);
        } else {
            var activity = Activity.valueOf(key);
            refuse(titles.put(activity, cells.get(1)), line);
            sentences.put(activity, cells.subList(2, 4));
            if (cells.size() > 4) {
                cues.put(activity, cues(cells.get(4)));
            }
        }
    }

    private static void refuse(@Nullable String before, String line) {
        if (before != null) {
            throw new IllegalStateException("twice: " + line);
        }
    }

    private static List<String> cues(String cell) {
        return Arrays.stream(cell.split(","))
                .map(String::strip)
                .filter(cue -> !cue.isEmpty())
                .toList();
    }

    private static final class Common {
        private static final LanguageFile FILE = read("common");
    }
}
