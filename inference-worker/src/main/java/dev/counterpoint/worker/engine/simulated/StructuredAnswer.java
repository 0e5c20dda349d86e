package dev.counterpoint.worker.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A JSON answer: by the schema of the prompt, else by the keys the user names, else what the text holds.
final class StructuredAnswer implements Skill {
    private static final Pattern KEYS =
            Pattern.compile("(?i)\\b(?:keys?|fields?|propert(?:y|ies)|members?)\\b[ :]*(?:named"
                    + " |called |are |for )?((?:[\"'`]?[A-Za-z_][\\w]*[\"'`]?(?:\\s*\\([^)]*\\))?"
                    + "(?:, ?(?:and )?| and )?){1,20})");
    private static final Pattern TYPED =
            Pattern.compile("(?i)\\b(\\w+)[\"'`]?\\s*\\((integer|int|number|float|boolean|bool|string|array|list)\\)");

    private final Skill prose;

    /// @param prose what would be answered in words, where a skill knows that
    StructuredAnswer(Skill prose) {
        this.prose = prose;
    }

    @Override
    public @Nullable Answer answer(Situation situation) {
        if (!situation.wantsJson()) {
            return null;
        }
        var known = prose.answer(situation);
        var inWords = known == null ? inWords(situation) : known;
        var text = new ArrayList<String>(ToolResults.lines(situation));
        text.add(situation.question());
        var facts = FactFinder.find(String.join("\n", text));
        var shape = situation.answerShape() != null ? situation.answerShape() : named(situation);
        var value = shape == null ? free(facts, known) : new Filler(facts, inWords).whole(shape);
        var thoughts = new ArrayList<String>();
        thoughts.add(
                shape == null
                        ? "The answer has to be JSON; no schema is given, so I choose plain keys."
                        : "The answer has to be JSON in the form that was given"
                                + (shape instanceof Shape.Fields(var fields)
                                        ? ", with "
                                                + Words.join(fields.stream()
                                                        .map(Shape.Field::name)
                                                        .toList()) + "."
                                        : "."));
        thoughts.addAll(inWords.thoughts());
        thoughts.add("I copy the values from the prompt and invent none.");
        return Answer.say(thoughts, Json.write(value), inWords.essence());
    }

    /// No skill has a result. A question gets the honest answer; a statement speaks for itself.
    private static Answer inWords(Situation situation) {
        var question = situation.question();
        if (question.contains("?")) {
            return new Fallback().answer(situation);
        }
        var words = Words.topics(question);
        var sentences = Words.sentences(question);
        return Answer.say(
                List.of("The text is about " + Words.join(words.subList(0, Math.min(8, words.size()))) + "."),
                sentences.isEmpty() ? question : sentences.getFirst());
    }

    private static @Nullable Shape named(Situation situation) {
        for (var text : List.of(situation.question(), situation.instructions())) {
            var keys = KEYS.matcher(text);
            if (!keys.find()) {
                continue;
            }
            var fields = new ArrayList<Shape.Field>();
            for (var key : FactFinder.split(keys.group(1).replaceAll("\\s*\\([^)]*\\)", ""))) {
                var name = key.replaceAll("[\"'`]", "").strip();
                if (!name.isEmpty() && !Words.isStopWord(name)) {
                    fields.add(new Shape.Field(name, ofType(name, text), true, "", null));
                }
            }
            if (!fields.isEmpty()) {
                return new Shape.Fields(fields);
            }
        }
        return null;
    }

    private static Shape ofType(String name, String text) {
        var typed = TYPED.matcher(text);
        while (typed.find()) {
            if (typed.group(1).equals(name)) {
                return switch (Words.lower(typed.group(2))) {
                    case "integer", "int" -> new Shape.Numeric(true, null, null);
                    case "number", "float" -> new Shape.Numeric(false, null, null);
                    case "boolean", "bool" -> new Shape.Truth();
                    case "array", "list" -> new Shape.ListOf(new Shape.Text(null), 0, 10);
                    default -> new Shape.Text(null);
                };
            }
        }
        return switch (FieldKind.of(name, "")) {
            case AGE, COUNT, MONEY, OPERAND -> new Shape.Numeric(false, null, null);
            case ITEM, STEPS -> new Shape.ListOf(new Shape.Text(null), 0, 10);
            default -> new Shape.Text(null);
        };
    }

    private static JsonNode free(Facts facts, @Nullable Answer known) {
        var object = Json.NODES.objectNode();
        if (known != null) {
            var number = known.essence().matches("-?\\d+(?:\\.\\d+)?") ? Json.parse(known.essence()) : null;
            return object.set("answer", number == null ? Json.NODES.textNode(known.essence()) : number);
        }
        facts.pairs().forEach((key, value) -> {
            if (!key.contains("json")) {
                object.put(key.replace(' ', '_'), value);
            }
        });
        add(object.isEmpty() ? "names" : "", facts.names(), object);
        add("places", facts.places(), object);
        add("dates", facts.dates(), object);
        add("emails", facts.emails(), object);
        return object.isEmpty() ? object.put("answer", "unknown") : object;
    }

    private static void add(String key, List<String> values, ObjectNode object) {
        if (!key.isEmpty() && !values.isEmpty()) {
            var list = object.putArray(key);
            values.forEach(list::add);
        }
    }
}
