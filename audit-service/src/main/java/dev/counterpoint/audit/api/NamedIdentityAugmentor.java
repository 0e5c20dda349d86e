package dev.counterpoint.audit.api;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/// Refuses a token without a usable name, because every access entry must name a person that readers can distinguish
/// from others.
@ApplicationScoped
class NamedIdentityAugmentor implements SecurityIdentityAugmentor {
    private static final int CHARACTERS_MAX = 256;

    @Override
    public Uni<SecurityIdentity> augment(SecurityIdentity identity, AuthenticationRequestContext context) {
        return identity.isAnonymous() || isName(identity.getPrincipal().getName())
                ? Uni.createFrom().item(identity)
                : Uni.createFrom().failure(new AuthenticationFailedException());
    }

    private static boolean isName(@Nullable String name) {
        return name != null
                && !name.isBlank()
                && name.equals(name.strip())
                && name.length() <= CHARACTERS_MAX
                && name.codePoints().allMatch(NamedIdentityAugmentor::isSeen);
    }

    /// False for characters that are invisible or look like others: controls, direction marks, zero-width characters,
    /// unusual spaces and line ends.
    private static boolean isSeen(int character) {
        return character == ' '
                || switch (Character.getType(character)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }
}
