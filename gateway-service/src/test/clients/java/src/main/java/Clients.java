import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The scenario of `../node/scenario.mjs` with clients of the JVM. */
final class Clients {
    static final String URL = System.getenv("COUNTERPOINT_URL") + "/v1";
    static final String KEY = System.getenv("COUNTERPOINT_API_KEY");
    static final String MODEL = System.getenv("COUNTERPOINT_MODEL");
    static final String TOOL = "get_weather";
    static final String DESCRIPTION = "Current weather of a city";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Begins a conversation: what it returns asks one question, answers the calls of tools, and gives the last text. */
    interface Opener {
        UnaryOperator<String> open(boolean streaming, UnaryOperator<String> getWeather);
    }

    public static void main(String[] arguments) {
        Map<String, Opener> clients = new LinkedHashMap<>();
        clients.put("openai-java, responses", OfficialResponses::open);
        clients.put("openai-java, WebSocket", OfficialResponses::openWebSocket);
        clients.put("openai-java, chat", OfficialChat::open);
        clients.put("langchain4j, chat", LangChain::open);
        boolean failed = false;
        for (var client : clients.entrySet()) {
            try {
                play(client.getValue());
                System.out.println("passed  " + client.getKey());
            } catch (Throwable failure) {
                failed = true;
                System.out.println("FAILED  " + client.getKey());
                failure.printStackTrace();
            }
        }
        System.exit(failed ? 1 : 0);
    }

    private static void play(Opener client) {
        for (boolean streaming : List.of(false, true)) {
            var how = streaming ? "streaming, " : "whole, ";
            var cities = new ArrayList<String>();
            UnaryOperator<String> getWeather = written -> {
                cities.add(city(written));
                return weather(city(written));
            };
            expect(client.open(streaming, getWeather).apply(StandIn.scripted("What is 17 plus 25?", "say: 42")), "42", how + "text");
            var ask = client.open(streaming, getWeather);
            expect(ask.apply(StandIn.scripted("What is the weather in Paris?", call("Paris"))), "21", how + "tool");
            expect(ask.apply(StandIn.scripted("And in London?", call("London"))), "London", how + "second turn");
            expect(String.join(",", cities), "Paris,London", how + "calls");
        }
    }

    private static String call(String city) {
        return "call: get_weather {\"city\": \"%s\"}".formatted(city);
    }

    private static void expect(String text, String wanted, String what) {
        if (text == null || text.isEmpty() || StandIn.CHECKED && !text.contains(wanted)) {
            throw new AssertionError(what + ": " + wanted + " is not in " + text);
        }
    }

    private static String city(String written) {
        try {
            return JSON.readTree(written).get("city").asText();
        } catch (Exception e) {
            throw new AssertionError("no arguments: " + written, e);
        }
    }

    private static String weather(String city) {
        return "{\"city\":\"%s\",\"temperature_celsius\":21,\"sky\":\"sunny\"}".formatted(city);
    }
}
