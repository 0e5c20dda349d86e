package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.model.Message;
import org.junit.jupiter.api.Test;

class PatchSkillTest {
    private static final String REPLACE = "In the file src/a.txt, replace the line \"one\" by \"two, 2\".";
    private static final String UPDATE =
            "*** Begin Patch\n*** Update File: src/a.txt\n@@\n-one\n+two, 2\n*** End Patch\n";

    @Test
    void anEditOfAFileIsAPatchInPlainText() {
        var output = editor(REPLACE).output();

        assertThat(HarmonyMarkup.decode(output.ids(), 0, output.ids().length))
                .endsWith("commentary to=functions.apply_patch" + HarmonyMarkup.MESSAGE + UPDATE + HarmonyMarkup.CALL);
        assertThat(editor("Create the file b.txt with \"x\"").output().callOrAnswer())
                .isEqualTo("functions.apply_patch *** Begin Patch\n*** Add File: b.txt\n+x\n*** End Patch\n");
    }

    @Test
    void whatTheToolSaysEndsTheTurn() {
        assertThat(editor(REPLACE)
                        .then(Message.call("functions.apply_patch", "commentary", null, UPDATE))
                        .then(Message.toolResult("functions.apply_patch", "Success. M src/a.txt"))
                        .answer())
                .contains("Success. M src/a.txt");
    }

    @Test
    void withoutSuchAToolThereIsNoPatch() {
        assertThat(Talk.user(REPLACE)
                        .tool("apply_patch", "Edits.", "{\"type\":\"object\",\"properties\":{}}")
                        .output()
                        .callOrAnswer())
                .doesNotContain("*** Begin Patch");
    }

    private static Talk editor(String question) {
        return Talk.user(question)
                .tool(
                        "view_file",
                        "Shows a file.",
                        "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}")
                .tool("apply_patch", "Edits files.", "{\"type\":\"string\"}");
    }
}
