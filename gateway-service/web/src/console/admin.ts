import { Refusal, refusal, type Fetch } from '../gateway'

export interface Limits {
  requests_per_minute: number | null
  tokens_per_minute: number | null
  tokens_per_day: number | null
  concurrent_streams: number | null
}

export const LIMITS: Record<keyof Limits, string> = {
  requests_per_minute: 'Requests a minute',
  tokens_per_minute: 'Tokens a minute',
  tokens_per_day: 'Tokens a day',
  concurrent_streams: 'Responses at once',
}

export interface Tenant extends Limits {
  id: string
  name: string
  created_at: number
  audit_opt_in: { id: string; agreed_by: string; agreed_at: number } | null
  written_summaries: boolean
}

export interface ApiKey extends Limits {
  id: string
  name: string
  project: string
  prefix: string
  scopes: string[]
  audit: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
}

export interface List<T> {
  data: T[]
  last_id: string | null
  has_more: boolean
}

/** What one gateway knows. */
export interface View<T> {
  gateway: string
  data: T[]
}

export interface Worker {
  id: string
  model: string
  description: string
  state: string
  slots: number
  busy: number
  context_length: number
  last_seen: number
}

export interface Queue {
  band: string
  depth: number
  oldest_age_seconds: number
}

export interface RefusalCount {
  reason: string
  kind: 'admission' | 'status'
  since_start: number
  last_hour: number
}

export interface UsageLine {
  day: string
  tenant: string
  key: string
  model: string
  requests: number
  input_tokens: number
  cached_tokens: number
  output_tokens: number
  reasoning_tokens: number
}

const ANSWER_MAX_MS = 20_000

/** The admin API. The token is in this object only: it ends with the page. */
export class Admin {
  #token = ''

  /** @param onClosed called when the gateway does not accept the token */
  constructor(
    private readonly onClosed: () => void,
    private readonly fetch: Fetch = (path, init) => globalThis.fetch(path, init),
  ) {}

  get isOpen(): boolean {
    return this.#token !== ''
  }

  /** Keeps the token if the gateway accepts it. */
  async open(token: string): Promise<void> {
    this.#token = token
    try {
      await this.tenants()
    } catch (error) {
      this.#token = ''
      throw error
    }
  }

  close(): void {
    this.#token = ''
    this.onClosed()
  }

  tenants = (after?: string) => this.json<List<Tenant>>('GET', `/admin/tenants?limit=100${from(after)}`)
  tenant = (id: string) => this.json<Tenant>('GET', `/admin/tenants/${path(id)}`)
  makeTenant = (body: object) => this.json<Tenant>('POST', '/admin/tenants', body)
  changeTenant = (id: string, body: object) => this.json<Tenant>('PATCH', `/admin/tenants/${path(id)}`, body)
  deleteTenant = (id: string) => this.json<object>('DELETE', `/admin/tenants/${path(id)}`)
  keys = (tenant: string, after?: string) =>
    this.json<List<ApiKey>>('GET', `/admin/tenants/${path(tenant)}/keys?limit=100${from(after)}`)
  makeKey = (tenant: string, body: object) =>
    this.json<{ key: ApiKey; secret: string }>('POST', `/admin/tenants/${path(tenant)}/keys`, body)
  changeKey = (tenant: string, key: string, body: object) =>
    this.json<ApiKey>('PATCH', `/admin/tenants/${path(tenant)}/keys/${path(key)}`, body)
  revokeKey = (tenant: string, key: string) =>
    this.json<object>('DELETE', `/admin/tenants/${path(tenant)}/keys/${path(key)}`)
  workers = () => this.json<View<Worker>>('GET', '/admin/workers')
  queues = () => this.json<View<Queue>>('GET', '/admin/queues')
  refusals = () => this.json<View<RefusalCount>>('GET', '/admin/refusals')
  response = <T>(id: string) => this.json<T>('GET', `/admin/responses/${path(id)}`)

  async usage(first: string, last: string, tenant: string): Promise<UsageLine[]> {
    const query = new URLSearchParams({ from: first, to: last, ...(tenant ? { tenant } : {}) })
    const answer = await this.ask('GET', `/admin/usage?${query}`)
    return (await answer.text()).split('\n').filter(Boolean).map(line => JSON.parse(line) as UsageLine)
  }

  private async json<T>(method: string, address: string, body?: object): Promise<T> {
    return (await (await this.ask(method, address, body)).json()) as T
  }

  private async ask(method: string, address: string, body?: object): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#token}` }
    if (body) headers['Content-Type'] = 'application/json'
    const answer = await this.fetch(address, {
      method, headers, cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(ANSWER_MAX_MS),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (answer.ok) return answer
    const refused = await refusal(answer)
    if (answer.status === 401 && this.isOpen) this.close()
    throw refused
  }
}

const path = encodeURIComponent
const from = (after?: string): string => (after ? `&after=${path(after)}` : '')

/** Why a request failed, in words for operators. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) return 'The gateway does not answer. It may be stopped, or this device is offline.'
  if (error.status === 401) return 'The gateway does not accept this token.'
  if (error.code === 'unknown_url' && !error.message.includes('/responses/')) {
    return 'This gateway has no admin API: gateway.admin-token is not set, or a proxy blocks it.'
  }
  return error.message
}
