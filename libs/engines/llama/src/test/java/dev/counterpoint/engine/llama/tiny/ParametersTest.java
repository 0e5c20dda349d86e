package dev.counterpoint.engine.llama.tiny;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParametersTest {
    private static final String METADATA = """
            {"__metadata__":{"format":"tiny-gpt-oss-parameters","version":"1","width":"32","layers":"1","heads":"2",
            "key_value_heads":"1","head":"8","experts":"3","experts_used":"2","hidden":"64","rope_base":"10000.0",
            "epsilon":"1e-05"},""";
    private static final String TENSORS = """
            "plain":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
            "half":{"dtype":"F16","shape":[1,2],"data_offsets":[8,12]},
            "q.values":{"dtype":"I8","shape":[32],"data_offsets":[12,44]},
            "q.scales":{"dtype":"F16","shape":[1],"data_offsets":[44,46]},
            "kept":{"dtype":"I32","shape":[1],"data_offsets":[46,50]}}""";

    @Test
    void readsTheArchitectureAndTheNumbersOfEveryType() {
        var parameters = Parameters.read(file(METADATA + TENSORS));

        assertThat(parameters.architecture()).isEqualTo(new Architecture(32, 1, 2, 1, 8, 3, 2, 64, 10_000, 1e-5f));
        assertThat(parameters.tensor("plain", 2)).containsExactly(1.5f, -2);
        assertThat(parameters.tensor("half", 1, 2)).containsExactly(0.5f, -0.25f);
        assertThat(parameters.tensor("q", 32)).hasSize(32).startsWith(-8, -7.5f).endsWith(7.5f);
        assertThat(parameters.kept()).containsExactly(7);
    }

    @Test
    void saysWhatIsWrongWithATensor() {
        var parameters = Parameters.read(file(METADATA + TENSORS));

        assertThatThrownBy(() -> parameters.tensor("none", 2)).hasMessage("tensor 'none' is missing");
        assertThatThrownBy(() -> parameters.tensor("kept", 1)).hasMessage("tensor 'kept' has the type 'I32'");
        assertThatThrownBy(() -> parameters.tensor("plain", 3))
                .hasMessage("tensor 'plain' has the shape [2] instead of [3]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [0,8]         | [48,56]     | 'plain' does not lie within the file as its shape says
            [0,8]         | [8,0]       | 'plain' does not lie within the file as its shape says
            [2],"data     | [-2],"data  | 'plain' does not lie within the file as its shape says
            [2],"data     | [9999999999],"data | 'plain' does not lie within the file as its shape says
            "F32"         | "F64"       | 'plain' has the type 'F64'
            "version":"1" | "version":"2" | is not version 1 of tiny-gpt-oss-parameters
            "width":"32"  | "width":"x" | __metadata__.width is 'x', not a whole number from 1
            "1e-05"       | "small"     | __metadata__.epsilon is 'small', not a number
            {"__metadata  | __metadata  | the header is not JSON
            """)
    void saysWhatIsWrongWithAFile(String right, String wrong, String message) {
        var header = METADATA + TENSORS;
        assertThat(header).contains(right);

        assertThatThrownBy(() ->
                        Parameters.read(file(header.replace(right, wrong))).tensor("plain", 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refusesAFileThatEndsInItsHeader() {
        var cut = ByteBuffer.allocate(20)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(13)
                .array();

        assertThatThrownBy(() -> Parameters.read(cut)).hasMessage("the file ends within its header");
        assertThatThrownBy(() -> Parameters.read(new byte[7])).hasMessage("the file ends within its header");
    }

    @Test
    void refusesIdsOutsideTheVocabulary() {
        var content = file(METADATA + TENSORS);
        content[content.length - 1] = 1;

        assertThatThrownBy(() -> Parameters.read(content).kept())
                .hasMessageMatching("tensor 'kept' has [0-9]+, which is no id of the vocabulary");
    }

    private static byte[] file(String header) {
        var json = header.getBytes(StandardCharsets.US_ASCII);
        var out = ByteBuffer.allocate(Long.BYTES + json.length + 50).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(json.length).put(json).putFloat(1.5f).putFloat(-2);
        out.putShort(Float.floatToFloat16(0.5f)).putShort(Float.floatToFloat16(-0.25f));
        for (int i = -16; i < 16; i++) {
            out.put((byte) i);
        }
        return out.putShort(Float.floatToFloat16(0.5f)).putInt(7).array();
    }
}
