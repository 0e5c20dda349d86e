/** What the page uses of the Responses API. */

export interface Model {
  id: string
  description?: string | null
  context_length?: number | null
}

export type Effort = 'low' | 'medium' | 'high'
export type SummaryMode = 'auto' | 'concise' | 'detailed' | 'off'

export interface FunctionTool {
  type: 'function'
  name: string
  description?: string
  parameters: unknown
  strict: boolean
}

export interface SchemaFormat {
  type: 'json_schema'
  name: string
  schema: unknown
  strict: boolean
}

export type InputItem =
  | { type: 'message'; role: 'user'; content: string }
  | { type: 'function_call_output'; call_id: string; output: string }

export interface ResponseRequest {
  model: string
  input: string | InputItem[]
  instructions?: string
  previous_response_id?: string
  reasoning?: { effort: Effort; summary?: Exclude<SummaryMode, 'off'> }
  tools?: FunctionTool[]
  text?: { format: SchemaFormat }
  background: true
  stream: true
}

export interface Usage {
  input_tokens: number
  input_tokens_details?: { cached_tokens?: number }
  output_tokens: number
  output_tokens_details?: { reasoning_tokens?: number }
  total_tokens: number
}

export interface OutputItem {
  type: string
  id: string
  name?: string
  call_id?: string
  arguments?: string
  input?: string
  summary?: { text: string }[]
  content?: { type: string; text?: string; refusal?: string }[]
}

export interface ResponseObject {
  id: string
  status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
  error?: { code?: string | null; message: string } | null
  incomplete_details?: { reason?: string } | null
  output: OutputItem[]
  usage?: Usage | null
  reasoning_unavailable?: boolean | null
  reasoning_summary_tier?: string | null
  warnings?: string[] | null
}

export interface StreamEvent {
  type: string
  sequence_number: number
  response?: ResponseObject
  item?: OutputItem
  item_id?: string
  output_index?: number
  content_index?: number
  summary_index?: number
  delta?: string
  text?: string
  arguments?: string
  message?: string
  code?: string | null
}
