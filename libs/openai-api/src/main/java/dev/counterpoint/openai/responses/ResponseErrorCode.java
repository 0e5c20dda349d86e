package dev.counterpoint.openai.responses;

import java.util.Locale;

/// The reasons for which a response fails, by the contract.
public enum ResponseErrorCode {
    SERVER_ERROR,
    RATE_LIMIT_EXCEEDED,
    INVALID_PROMPT,
    DATA_RESIDENCY_MISMATCH,
    BIO_POLICY,
    MISALIGNMENT_POLICY_VIOLATION,
    VECTOR_STORE_TIMEOUT,
    INVALID_IMAGE,
    INVALID_IMAGE_FORMAT,
    INVALID_BASE64_IMAGE,
    INVALID_IMAGE_URL,
    IMAGE_TOO_LARGE,
    IMAGE_TOO_SMALL,
    IMAGE_PARSE_ERROR,
    IMAGE_CONTENT_POLICY_VIOLATION,
    INVALID_IMAGE_MODE,
    IMAGE_FILE_TOO_LARGE,
    UNSUPPORTED_IMAGE_MEDIA_TYPE,
    EMPTY_IMAGE_FILE,
    FAILED_TO_DOWNLOAD_IMAGE,
    IMAGE_FILE_NOT_FOUND;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
