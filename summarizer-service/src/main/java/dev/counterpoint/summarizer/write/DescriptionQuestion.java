package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.summarizer.describe.Activity;
import dev.counterpoint.summarizer.describe.Description;
import dev.counterpoint.summarizer.describe.Subject;
import dev.counterpoint.summarizer.describe.WordList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Asks a model what the thinker is doing, as a choice from the values that templates can tell. Like a writer it is
/// told what the user said and a piece of the reasoning, both with placeholders. Immutable.
final class DescriptionQuestion {
    private static final int TOKENS_MAX = 64;
    private static final String INSTRUCTIONS = WordList.text(DescriptionQuestion.class, "describing.txt");
    private static final String NO_PHRASE = "none";
    private static final Map<String, Activity> ACTIVITIES = byWord(Activity.values());
    private static final Map<String, Subject> SUBJECTS = byWord(Subject.values());

    private final String user;
    private final List<String> phrases;
    /// What an answer may say of a phrase.
    private final List<String> phraseWords;
    private final String schema;

    DescriptionQuestion(String userText, List<String> phrases) {
        user = PartWriter.masked(userText);
        this.phrases = List.copyOf(phrases);
        phraseWords = Stream.concat(
                        Stream.of(NO_PHRASE), IntStream.range(0, phrases.size()).mapToObj(Integer::toString))
                .toList();
        schema = schema(phraseWords);
    }

    private static <E extends Enum<E>> Map<String, E> byWord(E[] values) {
        return Stream.of(values)
                .collect(Collectors.toMap(
                        value -> value.name().toLowerCase(Locale.ROOT),
                        Function.identity(),
                        (one, _) -> one,
                        LinkedHashMap::new));
    }

    private static String schema(List<String> phraseWords) {
        return """
                {"type":"object","properties":{"activity":{"type":"string","enum":%s},\
                "subject":{"type":"string","enum":%s},"phrase":{"type":"string","enum":%s}},\
                "required":["activity","subject","phrase"],"additionalProperties":false}""".formatted(json(ACTIVITIES.keySet()), json(SUBJECTS.keySet()), json(phraseWords));
    }

    private static String json(Collection<String> words) {
        return words.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
    }

    DraftTask about(String segment) {
        var input = new LinkedHashMap<String, Object>();
        input.put("user", user);
        input.put("phrases", phrases);
        input.put("thinking", PartWriter.masked(segment));
        return new DraftTask(INSTRUCTIONS, PartWriter.json(input), schema, TOKENS_MAX);
    }

    /// What a model chose; null for anything else than the schema says.
    @Nullable
    Description chosen(String text) {
        var answer = PartWriter.answer(text);
        if (answer == null || answer.size() != 3) {
            return null;
        }
        var activity = ACTIVITIES.get(answer.path("activity").asText());
        var subject = SUBJECTS.get(answer.path("subject").asText());
        var phrase = answer.path("phrase").asText();
        if (activity == null || subject == null || !phraseWords.contains(phrase)) {
            return null;
        }
        return new Description(
                activity, subject, phrase.equals(NO_PHRASE) ? null : phrases.get(Integer.parseInt(phrase)));
    }
}
