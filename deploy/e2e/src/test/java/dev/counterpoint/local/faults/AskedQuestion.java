package dev.counterpoint.local.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// One request before it is sent. Its number comes back in the log, so that a request is known there even when its
/// answer never arrived.
///
/// @param number from 1, unique in a run
/// @param raw whether the caller may read raw reasoning, and so gets it
/// @param summary whether a summary of the reasoning is asked for
/// @param optsIn whether its trace is to be kept
/// @param stored whether it can be read back
record AskedQuestion(
        int number,
        Api api,
        Manner manner,
        Conduct conduct,
        Question question,
        boolean raw,
        boolean summary,
        boolean optsIn,
        boolean stored) {
    private static final List<Question> QUESTIONS = List.of(
            Question.RECITAL, Question.RECITAL, Question.LONG_RECITAL, Question.SUM, Question.SKY, Question.WEATHER);

    enum Api {
        RESPONSES,
        CHAT
    }

    enum Manner {
        STREAM,
        WHOLE,
        BACKGROUND
    }

    /// What the caller does beside waiting.
    enum Conduct {
        STAY,
        /// Closes the connection in the middle.
        LEAVE,
        /// Asks for the end of a background response.
        CANCEL,
        /// Breaks its stream and takes it up again from another gateway.
        RECONNECT,
        /// Deletes a background response while it runs.
        DELETE
    }

    /// Draws a request.
    static AskedQuestion draw(int number, Random random) {
        var api = random.nextInt(3) == 0 ? Api.CHAT : Api.RESPONSES;
        var manner = manner(api, random);
        var question = QUESTIONS.get(random.nextInt(QUESTIONS.size()));
        boolean raw = random.nextInt(3) == 0;
        boolean summary = !raw && random.nextBoolean();
        boolean optsIn = random.nextBoolean();
        boolean stored = manner == Manner.BACKGROUND || random.nextInt(3) > 0;
        return new AskedQuestion(
                number, api, manner, conduct(api, manner, stored, random), question, raw, summary, optsIn, stored);
    }

    private static Manner manner(Api api, Random random) {
        int drawn = random.nextInt(5);
        if (drawn < 3) {
            return Manner.STREAM;
        }
        return drawn == 3 || api == Api.CHAT ? Manner.WHOLE : Manner.BACKGROUND;
    }

    private static Conduct conduct(Api api, Manner manner, boolean stored, Random random) {
        int drawn = random.nextInt(10);
        return switch (manner) {
            case STREAM -> {
                if (drawn == 0) {
                    yield Conduct.LEAVE;
                }
                yield drawn < 3 && stored && api == Api.RESPONSES ? Conduct.RECONNECT : Conduct.STAY;
            }
            case WHOLE -> drawn == 0 ? Conduct.LEAVE : Conduct.STAY;
            case BACKGROUND -> drawn < 2 ? Conduct.CANCEL : drawn == 2 ? Conduct.DELETE : Conduct.STAY;
        };
    }

    /// The request that goes on with what this one's answer called.
    AskedQuestion next(int nextNumber) {
        return new AskedQuestion(
                nextNumber, api, manner, Conduct.STAY, Question.FORECAST, raw, summary, optsIn, stored);
    }

    String path() {
        return api == Api.RESPONSES ? "/v1/responses" : "/v1/chat/completions";
    }

    /// @param called what the answer before said, where this one goes on with it
    String body(String model, Iterable<JsonNode> called) {
        var body = Question.JSON.createObjectNode();
        body.put("model", model).put("stream", manner == Manner.STREAM).put("store", stored);
        if (optsIn) {
            body.put("reasoning_encrypt", true);
        }
        // What is drawn at a temperature differs from request to request; here equal questions have equal answers.
        body.put("temperature", 0);
        if (api == Api.RESPONSES) {
            question.putInput(body, called);
            body.put("background", manner == Manner.BACKGROUND);
            body.putObject("metadata").put("request", Integer.toString(number));
            if (summary) {
                body.putObject("reasoning").put("summary", "auto");
            }
        } else {
            question.putMessages(body, called);
            body.put("seed", number);
            body.put("reasoning", raw ? "full" : summary ? "summary" : "none");
        }
        return body.toString();
    }

    /// What it is, for people: `chat stream leave`.
    String kind() {
        var words = api + " " + manner + (conduct == Conduct.STAY ? "" : " " + conduct)
                + (question.offersTool() ? " TOOL" : "");
        return words.toLowerCase(Locale.ROOT);
    }
}
