package dev.counterpoint.engine.llama.tiny;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCodesTest {
    private static final TokenCodes CODES = new TokenCodes();

    /// As `vocabulary.code` of the training program has them, with a sign for 1 and -1.
    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = """
            the word Paris,                72782, -+-+++-+++-+--+--+++--+-+-++-+--++++--++---+-++-+-++-+++-+++-+-+
            the same after a blank,        12650, -+-+++-+++-+--+--+++--+-+-++-+--++++--++---+-++-+-++-+++-+++++-+
            a blank alone,                   220, --++-++-+-+-+--++++--+++++++---+++--+--+-+-++-+++-----+-++++----
            a mark,                            0, +-+++-++-+++--+-----+---+-++++--+--++-++-+-+++-+-+++++----------
            a letter that is not English,    377, -+--+-+-+--++--+-+-+-+-+-++++++--+--------++--++++----++-+-+----
            a number of one digit,            22, --+++-+-++--+-+-+--+++--++++-++++++-++++----++-+++++++--++++--+-
            of two,                         4689, --++--+--+-++-+-+--+-------+---++++-+++--+-++++-++++++--++++--+-
            of three,                       7633, ---+-------+++-++++-+-------++++-++----+-++++-+++---+-++++++--+-
            a control token,              200006, +-+-+--+-+++----++++---++-+---+-++---+-+--+-+-++--+----+++++0000
            a reserved one,               201087, ++++--++--+++-------++--++-++-+-+-----++---+------+----+----0000
            """)
    void areThoseThatTheParametersWereLearnedWith(String what, int id, String code) {
        var signs = new StringBuilder();
        for (int i = 0; i < TokenCodes.LENGTH; i++) {
            signs.append("-0+".charAt(1 + (int) CODES.number(id, i)));
        }
        assertThat(signs).as(what).hasToString(code);
    }
}
