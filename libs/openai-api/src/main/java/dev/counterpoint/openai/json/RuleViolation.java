package dev.counterpoint.openai.json;

import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.Collection;
import java.util.stream.Collectors;

/// A broken rule on its way up through Jackson, which adds the path to it.
final class RuleViolation extends JsonMappingException {
    private final Rule rule;

    RuleViolation(Rule rule) {
        super(null, rule.code());
        this.rule = rule;
    }

    Rule rule() {
        return rule;
    }

    static RuleViolation missing(String member) {
        var violation = new RuleViolation(new Rule.Missing());
        violation.prependPath(new Reference(null, member));
        return violation;
    }

    static RuleViolation wrongType(String expected) {
        return new RuleViolation(new Rule.WrongType(expected));
    }

    static RuleViolation wrongType(String member, String expected) {
        var violation = wrongType(expected);
        violation.prependPath(new Reference(null, member));
        return violation;
    }

    static RuleViolation wrongValue(String member, String value, Collection<String> supported) {
        var violation = new RuleViolation(new Rule.WrongValue(value, supported));
        violation.prependPath(new Reference(null, member));
        return violation;
    }

    /// A rule's code on the wire and its message about a member.
    sealed interface Rule {
        String code();

        /// `member` is quoted or says "the request body"; `found` is the JSON type that stands there.
        String about(String member, String found);

        record Missing() implements Rule {
            @Override
            public String code() {
                return "missing_required_parameter";
            }

            @Override
            public String about(String member, String found) {
                return "Missing required parameter: " + member + ".";
            }
        }

        record WrongType(String expected) implements Rule {
            @Override
            public String code() {
                return "invalid_type";
            }

            @Override
            public String about(String member, String found) {
                return "Invalid type for " + member + ": expected " + expected + ", but got " + found + " instead.";
            }
        }

        record WrongValue(String value, Collection<String> supported) implements Rule {
            @Override
            public String code() {
                return "invalid_value";
            }

            @Override
            public String about(String member, String found) {
                var names = supported.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
                return "Invalid value for " + member + ": '" + RequestEcho.of(value) + "'. Supported values are: "
                        + names + ".";
            }
        }

        record OutOfRange() implements Rule {
            @Override
            public String code() {
                return "invalid_value";
            }

            @Override
            public String about(String member, String found) {
                return "Invalid value for " + member + ": the number is out of range.";
            }
        }

        record Conflict(String why) implements Rule {
            @Override
            public String code() {
                return "invalid_value";
            }

            @Override
            public String about(String member, String found) {
                return "Invalid value for " + member + ": " + why + ".";
            }
        }

        record Other() implements Rule {
            @Override
            public String code() {
                return "invalid_value";
            }

            @Override
            public String about(String member, String found) {
                return "Invalid value for " + member + ".";
            }
        }
    }
}
