package dev.counterpoint.harmony.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Names as the model gets them, and whom it means by what it writes.
class FunctionNamesTest {
    @ParameterizedTest
    @CsvSource({
        "get_weather, get_weather",
        "web-browsing, web_browsing",
        "Github.Get File, Github_Get_File",
        "2fa, _2fa",
        "größe, gre",
        "'', _",
        "python, python_function",
        "browser, browser_function",
        "bash, bash_function",
        "pythonic, pythonic"
    })
    void aNameBecomesAnIdentifierThatIsNoBuiltInTool(String declared, String alias) {
        assertThat(new FunctionNames(List.of(declared)).alias(declared)).isEqualTo(alias);
        assertThat(new FunctionNames(List.of()).alias(declared)).isEqualTo(alias);
    }

    @Test
    void namesThatBecomeTheSameAreNumberedAndIdentifiersKeepTheirOwn() {
        var names = new FunctionNames(List.of("get-x", "get.x", "get_x", "get_x_2"));
        assertThat(List.of("get-x", "get.x", "get_x", "get_x_2"))
                .extracting(names::alias)
                .containsExactly("get_x_3", "get_x_4", "get_x", "get_x_2");
    }

    @ParameterizedTest
    @CsvSource({
        // As rendered, and as declared.
        "functions.get_weather, get_weather",
        "functions.web_browsing, web-browsing",
        "functions.web-browsing, web-browsing",
        // The namespace is missing, doubled or made up: llama.cpp#21213, ollama#11991.
        "get_weather, get_weather",
        "functions.functions.get_weather, get_weather",
        "repo_browser.get_weather, get_weather",
        "functions.tools.get_weather, get_weather",
        // The content type is glued to it: llama.cpp#15102.
        "functions.get_weatherjson, get_weather",
        "get_weathercode, get_weather",
        // A function whose own name ends like that.
        "functions.to_json, to_json",
        "functions.to_jsonjson, to_json",
        // A user's function that the model knows as a built-in tool.
        "functions.python_function, python",
        "python, python"
    })
    void aRecipientMeansTheDeclaredFunction(String recipient, String declared) {
        var names = new FunctionNames(List.of("get_weather", "web-browsing", "to_json", "python"));
        assertThat(names.resolve(recipient)).isEqualTo(declared);
    }

    @ParameterizedTest
    @CsvSource({
        "functions.Get_Weather, get_weather",
        "GetWeather, get_weather",
        "cc_code.MigrateCode, cc_code-MigrateCode",
        "Get_Weather2, -",
        // Two are as near.
        "read.file, -"
    })
    void aNameThatDiffersInCaseAndSeparatorsAloneMeansTheOnlySuchFunction(String recipient, String declared) {
        var names = new FunctionNames(List.of("get_weather", "cc_code-MigrateCode", "read-file", "readFile"));
        assertThat(names.resolve(recipient)).isEqualTo(declared.equals("-") ? null : declared);
    }

    @ParameterizedTest
    @CsvSource({"python", "browser.search", "container.exec", "functions.", "functions", "''", "json", "functions.json"
    })
    void whatNobodyDeclaredMeansNothing(String recipient) {
        assertThat(new FunctionNames(List.of("get_weather")).resolve(recipient)).isNull();
    }

    @Property
    void everyDeclaredNameComesBackFromItsAlias(@ForAll @Size(max = 6) List<String> declared) {
        var names = new FunctionNames(declared);
        var aliases = new ArrayList<String>();
        for (String name : declared.stream().distinct().toList()) {
            assertThat(names.alias(name)).matches("[A-Za-z_][A-Za-z0-9_]*");
            assertThat(names.resolve(names.recipient(name))).isEqualTo(name);
            aliases.add(names.alias(name));
        }
        assertThat(aliases).doesNotHaveDuplicates();
    }
}
