package dev.counterpoint.gateway.request;

/// Where the images of a request may come from.
public enum ImageSources {
    /// The model takes none.
    NONE,
    /// The request has them in it.
    DATA,
    /// Or names an address, which the model's server asks: from inside the operator's network, for whoever has a key.
    ADDRESSES;

    /// @param taken whether the model takes images
    /// @param addresses whether the operator lets its server ask addresses
    public static ImageSources of(boolean taken, boolean addresses) {
        if (!taken) {
            return NONE;
        }
        return addresses ? ADDRESSES : DATA;
    }
}
