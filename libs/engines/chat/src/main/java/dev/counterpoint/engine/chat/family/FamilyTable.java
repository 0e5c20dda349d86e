package dev.counterpoint.engine.chat.family;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The known families.
///
/// @param families in the order in which they are asked
public record FamilyTable(List<ModelFamily> families) {
    private static final String RESOURCE = "families.json";
    /// A model of this name is more than the plain family that it was made from.
    private static final Pattern SAYS_THAT_IT_REASONS =
            Pattern.compile("think|thought|reason|reflect|(?<![a-z])(cot|r1|o1|zero)(?![a-z0-9])|deephermes");

    private static final FamilyTable SHARED = load();

    public static FamilyTable shared() {
        return SHARED;
    }

    private static FamilyTable load() {
        try (var in = FamilyTable.class.getResourceAsStream(RESOURCE)) {
            var rows = new ObjectMapper().readTree(in);
            return new FamilyTable(rows.valueStream().map(ModelFamily::read).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The arguments of chat templates by which some model is told to think or not to.
    public Set<String> thinkingArguments() {
        var names = new LinkedHashSet<String>();
        families.stream()
                .flatMap(family ->
                        Stream.of(family.thinking().on(), family.thinking().off()))
                .forEach(setting -> setting.members()
                        .path(ThinkingSwitch.ARGUMENTS)
                        .fieldNames()
                        .forEachRemaining(names::add));
        return names;
    }

    /// The family of this name, in either case.
    public Optional<ModelFamily> named(String family) {
        return families.stream()
                .filter(row -> row.name().equalsIgnoreCase(family.strip()))
                .findFirst();
    }

    /// The family of a model. Its name counts first; but a template that knows reasoning is believed before
    /// a name that knows none, and a plain family's name counts for nothing where the rest of it says that
    /// the model reasons.
    ///
    /// @param modelName as the server has it, with paths, tags and quantisation
    /// @param chatTemplate null where it is not known
    public Optional<ModelFamily> of(String modelName, @Nullable String chatTemplate) {
        var name = modelName.toLowerCase(Locale.ROOT).replace('_', '-').replace(' ', '-');
        var named = families.stream().filter(row -> row.isNamed(name)).findFirst();
        if (named.isPresent() && named.get().form() != Form.PLAIN) {
            return named;
        }
        // A template in JSON or in Jinja has its line breaks as escapes.
        return Optional.ofNullable(chatTemplate)
                .map(template -> template.replace("\\n", "\n"))
                .flatMap(template -> families.stream()
                        .filter(row -> row.isOfTemplate(template))
                        .findFirst())
                .or(() -> named.filter(_ -> !SAYS_THAT_IT_REASONS.matcher(name).find()));
    }

    /// The marks around reasoning that any model is known to write, each pair once.
    public List<MarkPair> everyMarks() {
        return every(ModelFamily::reasoning);
    }

    /// The marks around answers that any model is known to write, each pair once.
    public List<MarkPair> everyAnswerMarks() {
        return every(ModelFamily::answer);
    }

    private List<MarkPair> every(Function<ModelFamily, List<MarkPair>> marks) {
        var every = new ArrayList<MarkPair>();
        families.stream()
                .flatMap(family -> marks.apply(family).stream())
                .filter(pair -> every.stream().noneMatch(pair::isSpelledAs))
                .forEach(every::add);
        return List.copyOf(every);
    }
}
