import { USUAL, type Choices } from './choices'
import { follow } from './follow'
import { failureOf, Gateway, Refusal } from './gateway'
import { newId } from './id'
import { key, readTab, setKey, takeKeyFromAddress, writeTab } from './key'
import { requestOf } from './request'
import { ChatStore, readSetting, writeSetting, type Chat } from './store'
import { title } from './text'
import { ended, failed, isOpen, newTurn, openCalls, type Failure, type Turn } from './turn'
import type { InputItem, Model } from './wire'

export type Door = 'closed' | 'checking' | 'open'

export interface State {
  door: Door
  /** Why the door is closed, or why the list of models did not come. */
  failure: Failure | null
  models: Model[]
  model: string
  chats: Chat[]
  current: string | null
  choices: Choices
  /** Turns of which nothing comes because of the network. */
  interrupted: ReadonlySet<string>
  /** Said to screen readers. */
  said: string
  lasts: boolean
}

const SAVE_EVERY_MS = 400
/** Words that come faster are drawn together: more pictures would leave a slow device no time for anything else. */
const DRAW_EVERY_MS = 40
const MODELS_EVERY_MS = 5_000
/** Rounds of calls that the page answers by itself before it asks. */
const AUTOMATIC_ROUNDS_MAX = 8

/** The page's state and everything that changes it. */
export class App {
  state: State = {
    door: 'checking', failure: null, models: [], model: readSetting('model', ''), chats: [], current: null,
    choices: { ...USUAL, ...readSetting('choices', USUAL) }, interrupted: new Set(), said: '', lasts: true,
  }
  readonly gateway = new Gateway(key)
  private store!: ChatStore
  private readonly listeners = new Set<() => void>()
  private readonly running = new Map<string, AbortController>()
  /** Turns that were deleted before the gateway said which response theirs is. */
  private readonly condemned = new Set<string>()
  private readonly unsaved = new Set<string>()
  private saving = false
  private drawing = false
  private drawn = 0

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  async start(): Promise<void> {
    takeKeyFromAddress()
    window.addEventListener('hashchange', () => {
      takeKeyFromAddress()
      void this.connect()
    })
    window.addEventListener('pagehide', () => void this.save())
    this.store = await ChatStore.open()
    const chats = await this.store.all().catch(() => [])
    const last = readTab('chat')
    this.set({ chats, lasts: this.store.lasts, current: chats.some(chat => chat.id === last) ? last : null })
    await this.connect()
  }

  /** Reads the list of models, which also shows whether the key is right; then goes on with what still runs. */
  async connect(): Promise<void> {
    if (!key()) return this.set({ door: 'closed', failure: null })
    this.set({ door: 'checking', failure: null })
    try {
      await this.readModels()
      this.set({ door: 'open' })
      this.resume()
      void this.deleteResponses([])
    } catch (error) {
      const refused = error instanceof Refusal && error.status === 401
      if (refused) setKey('')
      this.set({ door: 'closed', failure: failureOf(error) })
    }
  }

  /** Until a worker serves one: the list is empty while the suite starts. */
  private async readModels(): Promise<void> {
    const models = await this.gateway.models()
    const model = models.some(one => one.id === this.state.model) ? this.state.model : (models[0]?.id ?? '')
    this.set({ models, model })
    if (models.length === 0) setTimeout(() => void this.readModels().catch(() => {}), MODELS_EVERY_MS)
  }

  enter(value: string): Promise<void> {
    setKey(value.trim())
    return this.connect()
  }

  leave(): void {
    this.running.forEach(controller => controller.abort())
    setKey('')
    this.set({ door: 'closed', failure: null })
  }

  chat(): Chat | null {
    return this.state.chats.find(chat => chat.id === this.state.current) ?? null
  }

  select(id: string | null): void {
    writeTab('chat', id ?? '')
    this.set({ current: id })
  }

  choose(change: Partial<Choices>): void {
    const choices = { ...this.state.choices, ...change }
    writeSetting('choices', choices)
    this.set({ choices })
  }

  chooseModel(model: string): void {
    writeSetting('model', model)
    this.set({ model })
  }

  ask(question: string): void {
    const chat = this.chat() ?? this.newChat(question)
    this.send(chat.id, chat.turns, question, question)
  }

  /** Asks again from this turn on; the answers from here on are deleted. */
  edit(turnId: string, question: string): void {
    const chat = this.chat()
    const index = chat?.turns.findIndex(turn => turn.id === turnId) ?? -1
    if (!chat || index < 0) return
    const kept = chat.turns.slice(0, index)
    this.drop(chat.turns.slice(index))
    this.send(chat.id, kept, question, question)
  }

  /** The same question again, with today's choices. A turn that brought results of tools brings them again. */
  regenerate(turnId: string): void {
    const chat = this.chat()
    const index = chat?.turns.findIndex(turn => turn.id === turnId) ?? -1
    const turn = chat?.turns[index]
    if (!chat || !turn) return
    if (turn.question !== null) return this.edit(turnId, turn.question)
    this.drop(chat.turns.slice(index))
    this.send(chat.id, chat.turns.slice(0, index), null, turn.request.input)
  }

  giveResult(turnId: string, callId: string, result: string): void {
    const chat = this.state.chats.find(one => one.turns.some(turn => turn.id === turnId))
    const turn = chat?.turns.find(one => one.id === turnId)
    if (!chat || !turn) return
    const parts = turn.parts.map(part =>
      part.kind === 'call' && part.callId === callId ? { ...part, result } : part)
    const answered = { ...turn, parts }
    this.put(chat.id, answered)
    if (openCalls(answered).length > 0) return
    const outputs = parts.flatMap((part): InputItem[] =>
      part.kind === 'call' ? [{ type: 'function_call_output', call_id: part.callId, output: part.result ?? '' }] : [])
    const turns = this.state.chats.find(one => one.id === chat.id)!.turns
    this.send(chat.id, turns, null, outputs)
  }

  /** Cancels the response; its stream then brings the end, or the answer to the cancellation does. */
  async stop(turnId: string): Promise<void> {
    const found = this.find(turnId)
    if (!found || !isOpen(found.turn)) return
    if (!found.turn.stopping) this.put(found.chat.id, { ...found.turn, stopping: true })
    const id = found.turn.responseId
    if (!id) return // `show` comes back here as soon as the id is known
    try {
      const response = await this.gateway.cancel(id)
      const now = this.find(turnId)
      if (now && isOpen(now.turn)) {
        this.running.get(turnId)?.abort()
        this.settle(now.chat.id, ended(now.turn, response, Date.now()))
      }
    } catch (error) {
      const now = this.find(turnId)
      if (!now || !isOpen(now.turn)) return
      const { stopping: _, ...turn } = now.turn
      this.put(now.chat.id, turn)
      this.set({ said: `Could not stop: ${failureOf(error).title}` })
    }
  }

  async remove(chatId: string): Promise<void> {
    const chat = this.state.chats.find(one => one.id === chatId)
    if (!chat) return
    this.set({ chats: this.state.chats.filter(one => one !== chat), said: 'Chat deleted' })
    if (this.state.current === chatId) this.select(null)
    this.drop(chat.turns)
    await this.store.delete(chatId)
  }

  private newChat(question: string): Chat {
    const chat: Chat = { id: newId(), title: title(question), changed: Date.now(), turns: [] }
    this.set({ chats: [chat, ...this.state.chats] })
    this.select(chat.id)
    return chat
  }

  private send(chatId: string, before: Turn[], question: string | null, input: string | InputItem[]): void {
    const previous = before.findLast(turn =>
      turn.responseId && ['completed', 'incomplete', 'cancelled'].includes(turn.state))?.responseId
    const request = requestOf(this.state.model, input, this.state.choices, previous)
    const turn = newTurn(newId(), question, request, Date.now())
    const chat = this.state.chats.find(one => one.id === chatId)!
    this.putChat({ ...chat, changed: Date.now(), turns: [...before, turn] })
    this.set({ said: 'Sent' })
    this.run(chatId, turn)
  }

  private resume(): void {
    for (const chat of this.state.chats) {
      for (const turn of chat.turns) {
        if (isOpen(turn) && !this.running.has(turn.id)) {
          this.run(chat.id, { ...turn, times: { ...turn.times, exact: false } })
          if (turn.stopping) void this.stop(turn.id)
        }
      }
    }
  }

  private run(chatId: string, turn: Turn): void {
    const stop = new AbortController()
    this.running.set(turn.id, stop)
    const show = (now: Turn, interrupted: boolean) => {
      if (stop.signal.aborted) return
      if (this.condemned.has(turn.id)) {
        if (now.responseId) this.drop([now])
        return
      }
      const stopping = this.find(turn.id)?.turn.stopping
      const first = stopping && now.responseId && !this.find(turn.id)?.turn.responseId
      this.mark(turn.id, interrupted)
      this.put(chatId, stopping && isOpen(now) ? { ...now, stopping } : now)
      if (first) void this.stop(turn.id)
    }
    // Written down before it is sent: after a reload the same request is sent again under its key.
    void this.save()
      .then(() => follow(turn, this.gateway, { now: Date.now, pause, show }, stop.signal))
      .then(end => (stop.signal.aborted ? undefined : this.settle(chatId, end)))
      .catch(error => {
        console.error(error)
        const open = this.find(turn.id)
        const failure = { title: 'The page failed', detail: String(error), again: true }
        if (open && isOpen(open.turn)) this.settle(chatId, failed(open.turn, failure, Date.now()))
      })
      .finally(() => {
        if (this.running.get(turn.id) === stop) this.running.delete(turn.id)
      })
  }

  private settle(chatId: string, turn: Turn): void {
    this.mark(turn.id, false)
    this.put(chatId, turn)
    const calls = openCalls(turn)
    const said = turn.failure ? `${turn.failure.title}. ${turn.failure.detail}`
      : turn.state === 'cancelled' ? 'Stopped' : calls.length > 0 ? 'The model calls a function' : 'Answer complete'
    this.set({ said })
    void this.save()
    if (turn.failure?.title === 'The gateway does not accept this key') {
      setKey('')
      this.set({ door: 'closed', failure: turn.failure })
    }
    this.answerCalls(chatId, turn)
  }

  private answerCalls(chatId: string, turn: Turn): void {
    const turns = this.state.chats.find(chat => chat.id === chatId)?.turns ?? []
    const rounds = turns.length - 1 - turns.findLastIndex(one => one.question !== null)
    if (rounds >= AUTOMATIC_ROUNDS_MAX) return
    for (const call of openCalls(turn)) {
      const answer = this.state.choices.tools.find(tool => tool.definition.name === call.name)?.answer
      if (answer) this.giveResult(turn.id, call.callId, answer)
    }
  }

  private drop(turns: Turn[]): void {
    for (const turn of turns) {
      if (isOpen(turn) && !turn.responseId) this.condemned.add(turn.id)
      else this.running.get(turn.id)?.abort()
    }
    void this.deleteResponses(turns.flatMap(turn => turn.responseId ?? []))
  }

  /** Deletes responses at the gateway; those that could not be deleted now are tried again at the next start. */
  private async deleteResponses(ids: string[]): Promise<void> {
    const all = [...new Set([...readSetting<string[]>('deletions', []), ...ids])]
    writeSetting('deletions', all)
    for (const id of all) {
      try {
        await this.gateway.delete(id)
        writeSetting('deletions', readSetting<string[]>('deletions', []).filter(one => one !== id))
      } catch {
        this.set({ said: 'Some answers are still to be deleted at the gateway' })
        return
      }
    }
  }

  private find(turnId: string): { chat: Chat; turn: Turn } | null {
    for (const chat of this.state.chats) {
      const turn = chat.turns.find(one => one.id === turnId)
      if (turn) return { chat, turn }
    }
    return null
  }

  private put(chatId: string, turn: Turn): void {
    const chat = this.state.chats.find(one => one.id === chatId)
    if (chat) this.putChat({ ...chat, turns: chat.turns.map(one => (one.id === turn.id ? turn : one)) })
  }

  private putChat(chat: Chat): void {
    this.set({ chats: this.state.chats.map(one => (one.id === chat.id ? chat : one)) })
    this.unsaved.add(chat.id)
    if (!this.saving) {
      this.saving = true
      setTimeout(() => void this.save(), SAVE_EVERY_MS)
    }
  }

  private async save(): Promise<void> {
    this.saving = false
    const ids = [...this.unsaved]
    this.unsaved.clear()
    for (const id of ids) {
      const chat = this.state.chats.find(one => one.id === id)
      if (chat) await this.store.put(chat).catch(() => this.set({ lasts: false }))
    }
  }

  private mark(turnId: string, interrupted: boolean): void {
    if (this.state.interrupted.has(turnId) === interrupted) return
    const all = new Set(this.state.interrupted)
    if (interrupted) all.add(turnId)
    else all.delete(turnId)
    this.set({ interrupted: all, ...(interrupted ? { said: 'Connection lost; trying again' } : {}) })
  }

  /** Many events come between two pictures of the screen; the page is drawn once for all of them. */
  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change }
    if (this.drawing) return
    this.drawing = true
    const draw = () => {
      this.drawing = false
      this.drawn = performance.now()
      this.listeners.forEach(listener => listener())
    }
    const wait = document.hidden ? 100 : this.drawn + DRAW_EVERY_MS - performance.now()
    if (wait > 0) setTimeout(() => (document.hidden ? draw() : requestAnimationFrame(draw)), wait)
    else requestAnimationFrame(draw)
  }
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, millis)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
