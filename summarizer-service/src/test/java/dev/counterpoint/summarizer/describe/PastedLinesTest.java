package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PastedLinesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "function List({ userId }) {",
                "  const params = { user: userId };",
                "  .then(r => r.json())",
                "setRows([]);",
                "</ul>",
                "SELECT name FROM customers",
                "  ports:",
                "    - \"8080:80\"",
                "services:",
                "listen = 80",
                "2026-05-08 02:11:45 [error] connect() failed",
                "    at com.example.Orders.place(Orders.java:17)",
                "Traceback (most recent call last):",
                "goroutine 88123 [chan send]:",
                "ERROR could not connect",
                "[tool returned] {\"events\": []}"
            })
    void aLineThatNobodySaysIsLeftOut(String line) {
        assertThat(PastedLines.removed("Why does this fail?\n" + line + "\nThanks!"))
                .isEqualTo("Why does this fail?\nThanks!");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Dear Sir or Madam,",
                "Import duties on cars (from Japan) have risen.",
                "Return flights are cheaper on Tuesdays :)",
                "It broke again :(",
                "My problem: the washing machine leaks.",
                "- milk",
                "„Wie geht es dir?“",
                "这个函数为什么慢？",
                "Update my plan for Friday, please"
            })
    void aSentenceStays(String line) {
        assertThat(PastedLines.removed("x\n" + line)).isEqualTo("x\n" + line);
    }

    @Test
    void aMessageOfNothingElseIsReadAsItIs() {
        assertThat(PastedLines.removed("services:\n  web:\n")).isEqualTo("services:\n  web:\n");
    }
}
