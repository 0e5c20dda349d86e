import type { ResponseRequest } from './wire'
import type { Choices } from './choices'
import type { InputItem } from './wire'

/** The request of a turn. */
export function requestOf(
  model: string, input: string | InputItem[], choices: Choices, previous: string | undefined,
): ResponseRequest {
  const request: ResponseRequest = { model, input, background: true, stream: true }
  if (choices.instructions.trim()) request.instructions = choices.instructions.trim()
  if (previous) request.previous_response_id = previous
  request.reasoning = { effort: choices.effort }
  if (choices.summary !== 'off') request.reasoning.summary = choices.summary
  const tools = choices.tools.filter(tool => tool.on).map(tool => tool.definition)
  if (tools.length > 0) request.tools = tools
  if (choices.schemaOn && choices.schema) request.text = { format: choices.schema }
  return request
}

export const LANGUAGES = ['curl', 'Python', 'JavaScript', 'Java'] as const
export type Language = (typeof LANGUAGES)[number]

/** The same request as code that runs as it stands, once the variable `COUNTERPOINT_API_KEY` holds a key. */
export function code(language: Language, request: ResponseRequest, origin: string): string {
  // Foreground: a script waits for its answer, and a background response outlives it.
  const { background: _, ...rest } = request
  const body = JSON.stringify(rest, null, 2)
  switch (language) {
    case 'curl':
      return [
        `curl -N ${origin}/v1/responses \\`,
        `  -H "Authorization: Bearer $COUNTERPOINT_API_KEY" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '${body.replaceAll("'", `'\\''`)}'`,
      ].join('\n')
    case 'Python':
      return [
        'import os',
        'from openai import OpenAI  # pip install openai',
        '',
        `client = OpenAI(base_url="${origin}/v1", api_key=os.environ["COUNTERPOINT_API_KEY"])`,
        `stream = client.responses.create(**${python(rest, '')})`,
        'for event in stream:',
        '    if event.type == "response.output_text.delta":',
        '        print(event.delta, end="", flush=True)',
      ].join('\n')
    case 'JavaScript':
      return [
        'import OpenAI from "openai"; // npm install openai',
        '',
        `const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: process.env.COUNTERPOINT_API_KEY });`,
        `const stream = await client.responses.create(${body});`,
        'for await (const event of stream) {',
        '  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);',
        '}',
      ].join('\n')
    case 'Java':
      return [
        'import java.net.URI;',
        'import java.net.http.*;',
        '',
        'void main() throws Exception { // java Ask.java, JDK 25',
        `    var body = ${java(body)};`,
        `    var request = HttpRequest.newBuilder(URI.create("${origin}/v1/responses"))`,
        '            .header("Authorization", "Bearer " + System.getenv("COUNTERPOINT_API_KEY"))',
        '            .header("Content-Type", "application/json")',
        '            .POST(HttpRequest.BodyPublishers.ofString(body))',
        '            .build();',
        '    HttpClient.newHttpClient()',
        '            .send(request, HttpResponse.BodyHandlers.ofLines())',
        '            .body()',
        '            .forEach(System.out::println);',
        '}',
      ].join('\n')
  }
}

/** A value as a Python literal; JSON's strings are Python's. */
function python(value: unknown, indent: string): string {
  const deeper = `${indent}    `
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map(one => deeper + python(one, deeper))
    : Object.entries(value).map(([name, one]) => `${deeper}${JSON.stringify(name)}: ${python(one, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return parts.length === 0 ? open! + close! : `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

/** A text as a Java text block. */
function java(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""')
  return `"""\n${escaped.replace(/^/gm, '            ')}"""`
}
