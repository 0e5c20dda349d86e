package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.turn.FakeModels;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A response is one object, however it is had, and a conversation is one conversation, however it is carried on:
/// over generated conversations with tools, runs of several analysis messages, preambles, turns that a limit cut
/// off anywhere and turns that failed.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class OneStateIT {
    private static final int CONVERSATIONS = 4 * Integer.getInteger("scale", 1);
    private static final int TURNS = 6;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSameIsToldAndTheSameIsAskedHoweverAResponseIsHadAndAConversationCarriedOn(boolean raw) {
        for (long seed = 0; seed < CONVERSATIONS; seed++) {
            var random = new Random(seed);
            var tenant = Api.newTenant("");
            var chains = Arrays.stream(Chain.Way.values())
                    .map(way -> new Chain(way, tenant, raw))
                    .toList();
            for (int number = 0; number < TURNS; number++) {
                var turn = RandomTurn.of(random);
                var where = "seed " + seed + ", turn " + number + ", " + turn.end();
                var first = chains.getFirst().turn(number, turn, delivery(random));
                for (var chain : chains.subList(1, chains.size())) {
                    var told = chain.turn(number, turn, delivery(random));
                    assertThat(told.prompt()).as(where).isEqualTo(first.prompt());
                    assertThat(told.response()).as(where).isEqualTo(first.response());
                }
            }
        }
    }

    private static Chain.Delivery delivery(Random random) {
        var all = Chain.Delivery.values();
        return all[random.nextInt(all.length)];
    }
}
