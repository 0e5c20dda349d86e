package dev.counterpoint.engine.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A file's template is code of a stranger: it gets nothing but the conversation, and ends.
class HostileTemplatesTest {
    private static final TemplateInput HELLO = new TemplateInput(
            JsonNodeFactory.instance
                    .arrayNode()
                    .add(JsonNodeFactory.instance
                            .objectNode()
                            .put("role", "user")
                            .put("content", "hello")),
            null,
            Map.of(),
            true,
            LocalDateTime.of(2026, 1, 2, 3, 4));

    private static final ChatTemplate NEIGHBOUR =
            new ChatTemplate("neighbour", "{{ messages[0].content }}, {{ messages | length }}", Map.of());

    static Stream<Arguments> hostile() {
        return Stream.of(
                named(
                        "nested loops",
                        "{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}{% endfor %}{% endfor %}"),
                named("loops without output", loop("{% for b in range(9999) %}{% endfor %}")),
                named("a macro without end", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
                named(
                        "macros without end",
                        "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}"),
                named(
                        "a recursive loop without end",
                        "{% for x in messages recursive %}{{ loop(messages) }}{% endfor %}"),
                named(
                        "a caller that calls itself",
                        "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}"),
                named("doubled text", grow("ns.x ~ ns.x", "'xx'")),
                named("doubled lists", grow("ns.x + ns.x", "[1, 2]")),
                named("lists within lists", grow("[ns.x, ns.x]", "[1]") + "{{ ns.x }}"),
                named("lists within lists as JSON", grow("[ns.x, ns.x]", "[1]", 90) + "{{ ns.x | tojson }}"),
                named(
                        "comparison of lists within lists",
                        grow("[ns.x, ns.x]", "[1]", 90) + grow("[ns.y, ns.y]", "y", "[1]", 90) + "{{ ns.x == ns.y }}"),
                named("a deep list", "{% set ns = namespace(x=[]) %}" + loop("{% set ns.x = [ns.x] %}") + "{{ ns.x }}"),
                named("repeated text", "{{ 'x' * 999999999999 }}"),
                named("a great range", "{{ range(999999999999) | list | length }}"),
                named("replaced text", grow("ns.x.replace('x', 'xxxxxxxxxxxxxxxx')", "'x'")),
                named("joined text", grow("[ns.x, ns.x, ns.x] | join(ns.x)", "'x'")),
                named("wide formats", loop("{{ '%999999d' | format(1) }}")),
                named("wide indentation", loop("{{ messages | tojson(indent=99999999) }}")),
                named(
                        "sorted texts",
                        "{% set x = range(9999) | list %}" + loop("{{ (x + x) | sort | unique | list | length }}")),
                named(
                        "searched texts",
                        "{% set x = 'x' * 999999 %}" + loop("{{ x.count('xy') }}{{ x | upper | length }}")),
                named("Python's classes", "{{ ''.__class__.__mro__[1].__subclasses__() }}"),
                named("Python's globals", "{{ raise_exception.__globals__.os.system('id') }}"),
                named(
                        "Java's classes",
                        "{{ messages.getClass().forName('java.lang.Runtime').getRuntime().exec('id') }}"),
                named("a file", "{% include '/etc/passwd' %}"),
                named("a file as template", "{% extends '/etc/passwd' %}"),
                named("a file as macros", "{% from '/etc/passwd' import root %}{{ root }}"),
                named("itself", "{% include 'chat' %}"),
                named("nested brackets", "{{ " + "(".repeat(100_000) + "1" + ")".repeat(100_000) + " }}"),
                named("nested blocks", "{% if true %}".repeat(20_000) + "{% endif %}".repeat(20_000)),
                named("nested minus signs", "{{ " + "-".repeat(200_000) + "1 }}"));
    }

    private static Arguments named(String name, String template) {
        return Arguments.of(name, template);
    }

    private static String loop(String body) {
        return "{% for a in range(9999) %}" + body + "{% endfor %}";
    }

    private static String grow(String step, String first) {
        return grow(step, first, 9_999);
    }

    private static String grow(String step, String first, int times) {
        return grow(step, "x", first, times);
    }

    private static String grow(String step, String name, String first, int times) {
        return (name.equals("x") ? "{% set ns = namespace(x=1, y=1) %}" : "")
                + "{%% set ns.%s = %s %%}{%% for a in range(%d) %%}{%% set ns.%s = %s %%}{%% endfor %%}"
                        .formatted(name, first, times, name, step);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void aHostileTemplateIsRefusedAndOthersRenderOn(String name, String template) {
        assertThatThrownBy(() -> new ChatTemplate(name, template, Map.of()).render(HELLO))
                .isInstanceOf(TemplateRefusedException.class)
                .hasMessageStartingWith("chat template " + name + ": ");
        assertThat(NEIGHBOUR.render(HELLO)).isEqualTo("hello, 1");
    }
}
