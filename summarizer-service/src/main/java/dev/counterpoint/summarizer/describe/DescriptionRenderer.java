package dev.counterpoint.summarizer.describe;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Renders descriptions from templates; all other text comes from the request.
public final class DescriptionRenderer {
    /// Sentences of one description with this many consecutive variants differ, when it has a subject or a phrase;
    /// without them every other one does.
    public static final int VARIANTS = 4;

    /// @param variant a counter of the caller's, from 0; consecutive parts take consecutive ones
    public String title(Description description, SummaryLanguage language, int variant) {
        var file = LanguageFile.of(language);
        var title = Objects.requireNonNull(file.titles().get(description.activity()));
        var value = subject(description, file);
        return namesSubject(variant) && value != null
                ? frame(file, "title").replace("{title}", title).replace("{}", value)
                : title;
    }

    /// @param variant the title's
    public String sentence(Description description, SummaryLanguage language, int variant) {
        var file = LanguageFile.of(language);
        var sentences = Objects.requireNonNull(file.sentences().get(description.activity()));
        var sentence = sentences.get(Math.floorMod(variant, 2));
        var phrase = description.userPhrase();
        var subject = subject(description, file);
        if (!namesSubject(variant) && subject != null) {
            return sentence + gap(language) + frame(file, "subject").replace("{}", subject);
        }
        return phrase == null
                ? sentence
                : sentence + gap(language) + frame(file, "phrase").replace("{}", phrase);
    }

    /// The title alone names the subject, or the sentence alone; over [#VARIANTS] each goes with each sentence.
    private static boolean namesSubject(int variant) {
        return Math.floorMod(variant, VARIANTS) % 3 == 0;
    }

    private static @Nullable String subject(Description description, LanguageFile file) {
        return description.subject() == Subject.GENERAL ? null : file.subjects().get(description.subject());
    }

    private static String frame(LanguageFile file, String name) {
        return Objects.requireNonNull(file.frames().get(name));
    }

    private static String gap(SummaryLanguage language) {
        return language.unspaced() ? "" : " ";
    }
}
