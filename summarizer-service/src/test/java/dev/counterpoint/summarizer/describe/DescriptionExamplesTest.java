package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The README's examples are what the code says: `target/description-examples.md` has them as they are now.
class DescriptionExamplesTest {
    private static final List<String> SHOWN = List.of(
            "Should I use Kafka or RabbitMQ for order events?",
            "My Python script crashes with KeyError",
            "Plan a 3-day trip to Rome",
            "Can I take ibuprofen with alcohol?",
            "Write a short poem about autumn",
            "How do I make my SQL query faster?",
            "Welches Fahrrad soll ich für die Stadt kaufen?",
            "Traduce esta frase al inglés",
            "帮我比较高铁和飞机去上海",
            "اكتب رسالة اعتذار لمديري");

    @Test
    void standInTheReadmeAsTheyAre() {
        var examples = DescribedTexts.all()
                .filter(row -> SHOWN.contains(row.user()))
                .map(DescriptionExamplesTest::example)
                .collect(Collectors.joining("\n"));
        System.out.println(examples);
        try {
            Files.writeString(Path.of("target", "description-examples.md"), examples);
            assertThat(Files.readString(Path.of("README.md"))).contains(examples);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String example(DescribedTexts.Row row) {
        var context = SummaryContext.of(row.user(), Map.of());
        var classifier = new CueClassifier(context);
        var thoughts = new ArrayList<>(classifier.accept(row.reasoning()));
        thoughts.addAll(classifier.finish());
        var renderer = new DescriptionRenderer();
        var parts = new ArrayList<String>();
        for (var thought : thoughts) {
            if (thought.change()) {
                int variant = parts.size();
                parts.add("**" + renderer.title(thought.description(), context.language(), variant) + "** "
                        + renderer.sentence(thought.description(), context.language(), variant));
            }
        }
        return "| *" + row.user() + "*<br>" + row.reasoning() + " | " + String.join("<br>", parts) + " |";
    }
}
