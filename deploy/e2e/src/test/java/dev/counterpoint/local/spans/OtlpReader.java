package dev.counterpoint.local.spans;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads OTLP's `ExportTraceServiceRequest`, by the numbers of its fields.
final class OtlpReader {
    private OtlpReader() {}

    static List<ExportedSpan> spans(byte[] request) throws IOException {
        var spans = new ArrayList<ExportedSpan>();
        for (var resourceSpans : messages(ByteString.copyFrom(request), 1)) {
            var resource = new HashMap<String, String>();
            for (var one : messages(resourceSpans, 1)) {
                resource.putAll(attributes(one, 1));
            }
            for (var scope : messages(resourceSpans, 2)) {
                for (var span : messages(scope, 2)) {
                    spans.add(span(resource, span));
                }
            }
        }
        return spans;
    }

    private static ExportedSpan span(Map<String, String> resource, ByteString span) throws IOException {
        var fields = fields(span);
        return new ExportedSpan(
                resource.getOrDefault("service.name", ""),
                resource.getOrDefault("service.instance.id", ""),
                hex(fields.get(1)),
                hex(fields.get(2)),
                hex(fields.get(4)),
                text(fields.get(5)),
                (int) number(fields.get(6)),
                number(fields.get(7)),
                number(fields.get(8)),
                attributes(span, 9));
    }

    private static Map<String, String> attributes(ByteString message, int field) throws IOException {
        var attributes = new LinkedHashMap<String, String>();
        for (var pair : messages(message, field)) {
            var fields = fields(pair);
            attributes.put(text(fields.get(1)), value((ByteString) fields.getOrDefault(2, ByteString.EMPTY)));
        }
        return attributes;
    }

    /// Text, a truth, a number, or a list of these.
    private static String value(ByteString any) throws IOException {
        var values = new ArrayList<String>();
        for (var field : fields(any).entrySet()) {
            if (field.getKey() == 5) {
                for (var one : messages((ByteString) field.getValue(), 1)) {
                    values.add(value(one));
                }
            } else {
                values.add(field.getValue() instanceof ByteString bytes ? bytes.toStringUtf8() : "" + field.getValue());
            }
        }
        return String.join(",", values);
    }

    private static List<ByteString> messages(ByteString message, int field) throws IOException {
        var found = new ArrayList<ByteString>();
        var in = message.newCodedInput();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == field) {
                found.add(in.readBytes());
            } else {
                in.skipField(tag);
            }
        }
        return found;
    }

    /// The last value of each field: bytes or a number.
    private static Map<Integer, Object> fields(ByteString message) throws IOException {
        var fields = new HashMap<Integer, Object>();
        var in = message.newCodedInput();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            fields.put(WireFormat.getTagFieldNumber(tag), field(in, WireFormat.getTagWireType(tag)));
        }
        return fields;
    }

    private static Object field(CodedInputStream in, int type) throws IOException {
        return switch (type) {
            case WireFormat.WIRETYPE_VARINT -> in.readInt64();
            case WireFormat.WIRETYPE_FIXED64 -> in.readFixed64();
            case WireFormat.WIRETYPE_FIXED32 -> (long) in.readFixed32();
            case WireFormat.WIRETYPE_LENGTH_DELIMITED -> in.readBytes();
            default -> throw new IOException("no field of OTLP");
        };
    }

    private static String hex(@Nullable Object bytes) {
        return bytes instanceof ByteString some ? HexFormat.of().formatHex(some.toByteArray()) : "";
    }

    private static String text(@Nullable Object bytes) {
        return bytes instanceof ByteString some ? some.toStringUtf8() : "";
    }

    private static long number(@Nullable Object number) {
        return number instanceof Long some ? some : 0;
    }
}
