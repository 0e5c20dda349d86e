import type { Failure } from './turn'
import type { Model, ResponseObject } from './wire'

/** A refusal of the gateway, in words for people. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which trying again makes sense, where the gateway says so. */
    readonly retryAfter?: number,
  ) {
    super(message)
  }

  /** Whether the same request may pass later. */
  get passes(): boolean {
    return this.status === 429 || this.status >= 500 || this.code === 'idempotency_key_in_use'
      || this.code === 'conversation_locked'
  }

  failure(): Failure {
    const wait = this.retryAfter ? ` Try again in ${this.retryAfter} s.` : ''
    return { title: this.title(), detail: this.message + wait, again: this.passes || this.status === 401 }
  }

  private title(): string {
    if (this.status === 401) return 'The gateway does not accept this key'
    if (this.status === 403) return 'This key may not do that'
    if (this.status === 404) return 'Not found'
    if (this.status === 429) return 'A limit is reached'
    if (this.status === 503) return 'The gateway is busy or a part of it is away'
    if (this.status >= 500) return 'The gateway failed'
    return 'The gateway refused the request'
  }
}

/** The gateway did not answer at all. */
export const UNREACHABLE: Failure = {
  title: 'The gateway does not answer',
  detail: 'It may be stopped, or this device is offline.',
  again: true,
}

export function failureOf(error: unknown): Failure {
  return error instanceof Refusal ? error.failure() : UNREACHABLE
}

export type Fetch = (path: string, init: RequestInit) => Promise<Response>

const ANSWER_MAX_MS = 15_000

export class Gateway {
  constructor(
    private readonly key: () => string,
    private readonly fetch: Fetch = (path, init) => globalThis.fetch(path, init),
  ) {}

  async models(): Promise<Model[]> {
    const list = await this.json<{ data: Model[] }>('GET', '/v1/models')
    return list.data
  }

  read(id: string): Promise<ResponseObject> {
    return this.json('GET', `/v1/responses/${id}`)
  }

  cancel(id: string): Promise<ResponseObject> {
    return this.json('POST', `/v1/responses/${id}/cancel`)
  }

  /** Deletes a response; one that is not there is deleted. */
  async delete(id: string): Promise<void> {
    try {
      await this.json('DELETE', `/v1/responses/${id}`)
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error
    }
  }

  /** Opens a stream. Throws a [Refusal], or what `fetch` throws where nobody answers. */
  async stream(method: string, path: string, signal: AbortSignal, extra: RequestInit = {}): Promise<Response> {
    const headers = { ...this.headers(), ...(extra.headers as Record<string, string> | undefined) }
    const answer = await this.fetch(path, { ...extra, method, headers, signal, cache: 'no-store' })
    if (!answer.ok) throw await refusal(answer)
    return answer
  }

  private async json<T>(method: string, path: string): Promise<T> {
    const signal = AbortSignal.timeout(ANSWER_MAX_MS)
    const answer = await this.fetch(path, { method, headers: this.headers(), signal, cache: 'no-store' })
    if (!answer.ok) throw await refusal(answer)
    return (await answer.json()) as T
  }

  private headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.key()}` }
  }
}

export async function refusal(answer: Response): Promise<Refusal> {
  const body = (await answer.json().catch(() => null)) as
    { error?: { message?: string; code?: string | null } } | null
  const after = Number(answer.headers.get('retry-after'))
  return new Refusal(
    answer.status,
    body?.error?.code ?? '',
    body?.error?.message ?? `HTTP ${answer.status}`,
    Number.isFinite(after) && after > 0 ? after : undefined,
  )
}
