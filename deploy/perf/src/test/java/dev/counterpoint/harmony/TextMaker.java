package dev.counterpoint.harmony;

import java.util.List;

/// Makes texts that tokenizers, headers and JSON may stumble over.
final class TextMaker {
    private static final List<String> WORDS = List.of(
            "the",
            "Hello",
            "HTTPServer",
            "weather",
            "get_weather",
            "it's",
            "I'LL",
            "don't",
            "user",
            "assistant",
            "system",
            "developer",
            "tool",
            "analysis",
            "commentary",
            "final",
            "json",
            "code",
            "functions.f",
            "to=",
            "to=functions.f",
            "all",
            "null",
            "true",
            "{}",
            "{\"a\": 1}",
            "<|",
            "|>",
            "<",
            "//",
            "/*",
            "===",
            "...",
            "\"",
            "'",
            "\\",
            "\\n",
            "1234567",
            "3.14",
            "0x1F",
            "a1b2",
            "–",
            "“quoted”",
            "naïve",
            "straße",
            "ſ",
            "'ſ",
            "K",
            "İ",
            "ǅ",
            "ﬁ",
            "٣٤٥",
            "½",
            "Ⅷ",
            "你好",
            "世界",
            "こんにちは",
            "カタカナ",
            "안녕",
            "привет",
            "שלום",
            "مرحبا",
            "नमस्ते",
            "สวัสดี",
            "e\u0301",
            "n\u0303",
            "👍",
            "👨‍👩‍👧",
            "🇳🇴",
            "💖",
            "\u200b",
            "\ufeff");
    private static final List<String> BLANKS = List.of(
            " ",
            " ",
            " ",
            "  ",
            "     ",
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "\t",
            "\u000b",
            "\f",
            "\u0085",
            "\u00a0",
            "\u1680",
            "\u2003",
            "\u2028",
            "\u2029",
            "\u202f",
            "\u3000",
            "\u001c",
            "\u001f",
            "\0",
            "\b",
            "\u007f",
            " \n",
            "\n ",
            " \r\n\t ");
    private static final List<String> CONTROL = List.of(
            "<|start|>",
            "<|end|>",
            "<|message|>",
            "<|channel|>",
            "<|constrain|>",
            "<|call|>",
            "<|return|>",
            "<|endoftext|>",
            "<|startoftext|>",
            "<|reserved_200013|>",
            "<|endofprompt|>",
            "<|refusal|>");
    /// First and last code points of blocks, some of them with characters younger than many tables.
    private static final int[][] BLOCKS = {
        {0x20, 0x7E},
        {0x80, 0xFF},
        {0x100, 0x24F},
        {0x250, 0x36F},
        {0x370, 0x52F},
        {0x530, 0x6FF},
        {0x700, 0x8FF},
        {0x900, 0xDFF},
        {0xE00, 0x10FF},
        {0x1100, 0x17FF},
        {0x1800, 0x1CFF},
        {0x1D00, 0x1FFF},
        {0x2000, 0x22FF},
        {0x2300, 0x27BF},
        {0x2C00, 0x2DFF},
        {0x2E80, 0x33FF},
        {0x3400, 0x9FFF},
        {0xA000, 0xABFF},
        {0xA7C0, 0xA7FF},
        {0xAC00, 0xD7FF},
        {0xE000, 0xF8FF},
        {0xF900, 0xFFFF},
        {0x10000, 0x10FFF},
        {0x11000, 0x11FFF},
        {0x12000, 0x16FFF},
        {0x17000, 0x1BFFF},
        {0x1C000, 0x1CFFF},
        {0x1D000, 0x1DFFF},
        {0x1E000, 0x1EFFF},
        {0x1F000, 0x1FAFF},
        {0x1FB00, 0x1FFFF},
        {0x20000, 0x32FFF},
        {0xE0000, 0xE01FF},
        {0x100000, 0x10FFFF}
    };

    private TextMaker() {}

    static String text(Dice dice) {
        return text(dice, dice.percent(5) ? 60 : 8);
    }

    static String text(Dice dice, int partsMax) {
        var text = new StringBuilder();
        int parts = dice.between(0, partsMax);
        for (int i = 0; i < parts; i++) {
            text.append(part(dice));
            if (dice.percent(60)) {
                text.append(dice.percent(70) ? " " : blank(dice));
            }
        }
        return text.toString();
    }

    /// One word, no blanks in it as a rule.
    static String word(Dice dice) {
        return dice.percent(85) ? dice.of(WORDS) : part(dice);
    }

    static String blank(Dice dice) {
        return dice.of(BLANKS);
    }

    static String control(Dice dice) {
        return dice.of(CONTROL);
    }

    /// Neighbouring code points, each between letters, digits, signs and blanks.
    static String row(Dice dice) {
        int first = dice.below(dice.percent(60) ? 0x3400 : dice.percent(80) ? 0x20000 : 0x110000);
        var text = new StringBuilder();
        for (int codePoint = first; codePoint < Math.min(first + 24, 0x110000); codePoint++) {
            if (Character.getType(codePoint) != Character.SURROGATE) {
                var one = Character.toString(codePoint);
                text.append('a')
                        .append(one)
                        .append('B')
                        .append(one)
                        .append(one)
                        .append("c 1")
                        .append(one);
                text.append("2 ")
                        .append(one)
                        .append(". !")
                        .append(one)
                        .append('\n')
                        .append(one)
                        .append("'S ");
            }
        }
        return text.toString();
    }

    /// Code points out of one block, whether they are assigned or not.
    static String letters(Dice dice) {
        var block = BLOCKS[dice.below(BLOCKS.length)];
        var text = new StringBuilder();
        int length = dice.between(1, 12);
        for (int i = 0; i < length; i++) {
            int codePoint = dice.between(block[0], block[1]);
            text.appendCodePoint(Character.getType(codePoint) == Character.SURROGATE ? 'x' : codePoint);
        }
        return text.toString();
    }

    private static String part(Dice dice) {
        int kind = dice.below(100);
        if (kind < 55) {
            return dice.of(WORDS);
        } else if (kind < 75) {
            return letters(dice);
        } else if (kind < 82) {
            return control(dice);
        } else if (kind < 92) {
            return blank(dice);
        } else if (kind < 96) {
            return Long.toString(dice.bits(), dice.between(2, 36));
        }
        return dice.of(WORDS).repeat(dice.between(2, dice.percent(5) ? 300 : 20));
    }
}
