package io.runstone.upstream.code;

/** Definitions of tools as servers list them. */
final class TestTools {
  /** Its name is no identifier, and it returns its value in an envelope. */
  static final String FIND =
      """
      {"name": "find-contact",
       "description": "Finds contacts by name. Case does not matter.",
       "inputSchema": {"type": "object", "required": ["text"], "properties": {
         "limit": {"type": "integer", "default": 10, "minimum": 1, "description": "At most so many."},
         "text": {"type": "string", "description": "Words of the name."},
         "kind": {"enum": ["person", "firm"]}}},
       "outputSchema": {"type": "object", "required": ["result"], "properties": {
         "result": {"type": "array", "items": {"type": "string"}}}},
       "annotations": {"readOnlyHint": true}}""";

  /** A parameter's name is a keyword. */
  static final String SEND =
      """
      {"name": "send", "description": "Sends a message.",
       "inputSchema": {"type": "object", "required": ["from"], "properties": {
         "from": {"type": "string"}, "body": {"type": "string"}, "to": {"type": ["string", "null"]}}}}""";

  /** Takes nothing, and says nothing of it. */
  static final String PICTURE = "{\"name\": \"picture\", \"inputSchema\": {\"type\": \"object\"}}";

  /** A server can say anything; nothing of this is sensible. */
  static final String ODD =
      """
      {"name": "1 odd.tool", "description": 5, "annotations": [], "outputSchema": 7,
       "inputSchema": {"required": "self", "additionalProperties": {"type": "string"},
         "$defs": {"loop": {"anyOf": [{"$ref": "#/$defs/loop"}, {"$ref": "#/$defs/loop"},
           {"$ref": "#/$defs/loop"}, {"$ref": "#/$defs/loop"}, {"$ref": "#/$defs/loop"}]}},
         "properties": {"self": {"type": "integer", "pattern": {"x": 1}}, "class": 3, "": {},
           "a b": {"enum": [{}, [], 1.5]}, "arguments": {"$ref": "#/$defs/loop"},
           "é": {"const": null}, "list": {"type": ["array", 4], "items": {"type": []}},
           "ref": {"$ref": "elsewhere"}, "args": {"anyOf": [], "default": {"a": [1]}}}}}""";

  private TestTools() {}
}
