import type { Effort, FunctionTool, SchemaFormat, SummaryMode } from './wire'

/** A function that the model may call, and the result that the page sends back, where one is given. */
export interface Tool {
  on: boolean
  definition: FunctionTool
  /** Sent as the result of each call; empty: the page asks for it. */
  answer: string
}

/** How the next question is asked. */
export interface Choices {
  effort: Effort
  summary: SummaryMode
  instructions: string
  tools: Tool[]
  schemaOn: boolean
  schema: SchemaFormat | null
}

export const USUAL: Choices = {
  effort: 'medium', summary: 'auto', instructions: '', tools: [], schemaOn: false, schema: null,
}

const object = (properties: Record<string, unknown>): unknown => ({
  type: 'object', properties, required: Object.keys(properties), additionalProperties: false,
})

export interface Example<T> {
  label: string
  value: T
}

const tool = (name: string, description: string, parameters: unknown, answer: string): Tool => ({
  on: true, definition: { type: 'function', name, description, parameters, strict: true }, answer,
})

export const TOOL_EXAMPLES: Example<Tool>[] = [
  {
    label: 'Weather',
    value: tool('get_weather', 'The weather in a city now.', object({ city: { type: 'string' } }),
      '{"sky": "sunny", "celsius": 21}'),
  },
  {
    label: 'Search',
    value: tool('search_notes', 'Searches my notes.',
      object({ words: { type: 'string' }, most: { type: 'integer', minimum: 1, maximum: 10 } }), ''),
  },
  {
    label: 'Calendar',
    value: tool('add_event', 'Adds an event to the calendar.',
      object({ title: { type: 'string' }, day: { type: 'string', format: 'date' }, minutes: { type: 'integer' } }),
      '{"added": true}'),
  },
]

const schema = (name: string, properties: Record<string, unknown>): SchemaFormat => ({
  type: 'json_schema', name, schema: object(properties), strict: true,
})

export const SCHEMA_EXAMPLES: Example<SchemaFormat>[] = [
  {
    label: 'Verdict',
    value: schema('verdict', {
      answer: { type: 'string' }, sure: { type: 'boolean' }, reasons: { type: 'array', items: { type: 'string' } },
    }),
  },
  {
    label: 'Recipe',
    value: schema('recipe', {
      title: { type: 'string' },
      minutes: { type: 'integer' },
      ingredients: {
        type: 'array', items: object({ name: { type: 'string' }, amount: { type: 'string' } }),
      },
      steps: { type: 'array', items: { type: 'string' } },
    }),
  },
  {
    label: 'Labels',
    value: schema('labels', {
      mood: { type: 'string', enum: ['good', 'neutral', 'bad'] },
      topics: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    }),
  },
]

const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** What is wrong with a name and a text of JSON Schema; null for nothing. The gateway checks the rest. */
export function fault(name: string, text: string): string | null {
  if (!NAME.test(name)) return 'The name needs 1 to 64 letters, digits, _ or -.'
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? null
      : 'The schema must be a JSON object.'
  } catch (error) {
    return `The schema is not JSON: ${(error as Error).message}`
  }
}
