package dev.counterpoint.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SortedJsonTest {
    @Test
    void writesMembersInOrderWithTheEscapesOfRfc8785() {
        var members = new TreeMap<String, Object>();
        members.put("b", "\u00e9\u20ac\ud83d\ude00 \"\\/\u007f");
        members.put("a", "\b\t\n\f\r\u0000\u001f");
        members.put("at", 1_764_500_000_000L);
        members.put("flag", true);

        assertThat(SortedJson.of(members))
                .isEqualTo("{\"a\":\"\\b\\t\\n\\f\\r\\u0000\\u001f\",\"at\":1764500000000,"
                        + "\"b\":\"\u00e9\u20ac\ud83d\ude00 \\\"\\\\/\u007f\",\"flag\":true}");
    }
}
