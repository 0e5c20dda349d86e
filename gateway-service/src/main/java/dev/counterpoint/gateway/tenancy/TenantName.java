package dev.counterpoint.gateway.tenancy;

import java.util.regex.Pattern;

/// The form of a tenant's name: one word, because the name stands in key files and logs.
public final class TenantName {
    public static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private TenantName() {}

    public static boolean isValid(String name) {
        return FORM.matcher(name).matches();
    }
}
