package dev.counterpoint.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
    private final AddressGuard strict = new AddressGuard(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "100.100.100.200",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "168.63.129.16",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:10.0.0.1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b::8.8.8.8",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:0:5ef5:79fb::1",
                "2001:db8::1",
                "2002:0a00:0001::1",
                "2002:7f00:0001::",
                "3fff::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1"
            })
    void anAddressThatIsNotPublicIsRefused(String address) {
        assertThat(strict.allows(InetAddress.ofLiteral(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "2001:4860:4860::8888",
                "2606:4700:4700::1111",
                "2a00:1450:4001:830::200e"
            })
    void aPublicAddressIsAllowed(String address) {
        assertThat(strict.allows(InetAddress.ofLiteral(address))).isTrue();
    }

    @Test
    void theOperatorAllowsBlocksAndNothingBesideThem() {
        var guard = new AddressGuard(AddressGuard.blocks(List.of("10.20.0.0/16", " fd12::/32")));

        assertThat(List.of("10.20.0.1", "10.20.255.255", "fd12:0:1::1", "8.8.8.8"))
                .allMatch(address -> guard.allows(InetAddress.ofLiteral(address)));
        assertThat(List.of("10.21.0.1", "10.19.255.255", "fd13::1", "127.0.0.1"))
                .noneMatch(address -> guard.allows(InetAddress.ofLiteral(address)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0", "10.0.0.0/33", "/8", "", "10.0.0.0/8/8"})
    void aBlockThatIsNoneStopsTheGateway(String block) {
        assertThatThrownBy(() -> AddressGuard.blocks(List.of(block))).isInstanceOf(RuntimeException.class);
    }
}
