package dev.counterpoint.gateway.api.webhooks;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;

/// Decides which addresses the gateway connects to for a tenant: public ones, and those that the operator allows. An
/// address that no rule knows is refused. Netty's rules
/// will not do: they find `fe80::1` in `2000::/3`.
record AddressGuard(List<Block> allowed) {
    /// IPv6 is public in this block alone, so forms with an IPv4 address inside are refused, two of those below too.
    private static final List<Block> OPEN = blocks(List.of("0.0.0.0/0", "2000::/3"));

    /// "This network", private, CGNAT, loopback, link-local, special, documentation, 6to4 relays, benchmarks, Azure's
    /// platform, multicast, reserved; of IPv6 special and Teredo, documentation, 6to4.
    private static final List<Block> CLOSED = blocks(List.of("""
            0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
            192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 168.63.129.16/32 224.0.0.0/4
            240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20""".split("\\s")));

    /// @param texts as in `10.20.0.0/16`
    /// @throws IllegalArgumentException when one is none
    static List<Block> blocks(List<String> texts) {
        return texts.stream().map(Block::parse).toList();
    }

    boolean allows(InetAddress address) {
        return contains(allowed, address) || contains(OPEN, address) && !contains(CLOSED, address);
    }

    private static boolean contains(List<Block> blocks, InetAddress address) {
        return blocks.stream().anyMatch(block -> block.contains(address));
    }

    /// The addresses of one family that begin with the same bits.
    record Block(int family, int rest, BigInteger prefix) {
        static Block parse(String text) {
            var parts = text.strip().split("/", 2);
            var address = InetAddress.ofLiteral(parts[0]);
            int bits = address.getAddress().length * Byte.SIZE;
            int rest = parts.length < 2 ? -1 : bits - Integer.parseInt(parts[1]);
            if (rest < 0 || rest > bits) {
                throw new IllegalArgumentException("no block of addresses: " + text);
            }
            return new Block(bits, rest, new BigInteger(1, address.getAddress()).shiftRight(rest));
        }

        boolean contains(InetAddress address) {
            return address.getAddress().length * Byte.SIZE == family
                    && new BigInteger(1, address.getAddress()).shiftRight(rest).equals(prefix);
        }
    }
}
