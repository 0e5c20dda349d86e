package dev.counterpoint.engine.chat.family;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.chat.family.ModelFamily.Form;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// The known families, in the order in which they are asked. Immutable, thread-safe.
public final class FamilyTable {
    private static final String RESOURCE = "families.json";
    /// A model of this name is more than the plain family that it was made from.
    private static final Pattern SAYS_THAT_IT_REASONS =
            Pattern.compile("think|thought|reason|reflect|(?<![a-z])(cot|r1|o1|zero)(?![a-z0-9])|deephermes");

    private final List<FamilyRow> rows;

    private FamilyTable(List<FamilyRow> rows) {
        this.rows = rows;
    }

    private static final class Holder {
        static final FamilyTable SHARED = load();
    }

    public static FamilyTable shared() {
        return Holder.SHARED;
    }

    private static FamilyTable load() {
        try (var in = FamilyTable.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing");
            }
            var rows = new ObjectMapper().readTree(in);
            return new FamilyTable(StreamSupport.stream(rows.spliterator(), false)
                    .map(FamilyRow::read)
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The arguments of chat templates by which some model is told to think or not to.
    public Set<String> thinkingArguments() {
        var names = new LinkedHashSet<String>();
        for (var family : families()) {
            for (var setting : List.of(family.thinking().on(), family.thinking().off())) {
                setting.members().path(ThinkingSwitch.ARGUMENTS).fieldNames().forEachRemaining(names::add);
            }
        }
        return names;
    }

    public List<ModelFamily> families() {
        return rows.stream().map(FamilyRow::family).toList();
    }

    /// The family of this name, in either case.
    public Optional<ModelFamily> named(String family) {
        return rows.stream()
                .map(FamilyRow::family)
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
        var named = rows.stream().filter(row -> row.isNamed(name)).findFirst();
        if (named.isPresent() && named.get().family().form() != Form.PLAIN) {
            return named.map(FamilyRow::family);
        }
        if (chatTemplate != null) {
            // A template in JSON or in Jinja has its line breaks as escapes.
            var template = chatTemplate.replace("\\n", "\n");
            var written =
                    rows.stream().filter(row -> row.isOfTemplate(template)).findFirst();
            if (written.isPresent()) {
                return written.map(FamilyRow::family);
            }
        }
        return named.map(FamilyRow::family)
                .filter(_ -> !SAYS_THAT_IT_REASONS.matcher(name).find());
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
        var every = new LinkedHashSet<MarkPair>();
        rows.forEach(row -> marks.apply(row.family()).stream()
                .filter(pair -> every.stream().noneMatch(pair::isSpelledAs))
                .forEach(every::add));
        return List.copyOf(every);
    }
}
