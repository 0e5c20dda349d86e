package dev.counterpoint.audit.api;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/// Refuses a token without a usable name: every entry of the access log has to name somebody.
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
                && name.length() <= CHARACTERS_MAX
                && name.codePoints().noneMatch(Character::isISOControl);
    }
}
