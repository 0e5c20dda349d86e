import { useEffect, useState } from 'preact/hooks'
import type { App } from '../app'
import { figures } from '../figures'
import { pretty, seconds } from '../text'
import { isOpen, openCalls, type Part, type Turn } from '../turn'
import { CodeDialog } from './code'
import { CodeBlock, Markdown } from './markdown'
import { CopyButton, Icon, IconButton, memo } from './parts'
import { Plain } from './plain'

interface TurnProps {
  app: App
  turn: Turn
  interrupted: boolean
  /** Asking an earlier turn again would delete the later ones, so only an edit does that. */
  last: boolean
}

export const TurnView = memo(({ app, turn, interrupted, last }: TurnProps) => (
  <article class="turn" aria-busy={isOpen(turn)} data-state={turn.state}>
    {turn.question !== null && <Question app={app} turn={turn} question={turn.question} />}
    <div class="answer">
      <h2 class="hidden">Answer</h2>
      {turn.parts.map((part, index) => (
        <PartView key={part.id} app={app} part={part} turn={turn} newest={index === turn.parts.length - 1} />
      ))}
      <Ending turn={turn} interrupted={interrupted} app={app} last={last} />
      {!isOpen(turn) && <Foot app={app} turn={turn} last={last} />}
    </div>
  </article>
))

function Question({ app, turn, question }: { app: App; turn: Turn; question: string }) {
  const [draft, setDraft] = useState<string | null>(null)
  if (draft !== null) {
    const send = (event: Event) => {
      event.preventDefault()
      if (draft.trim()) app.edit(turn.id, draft.trim())
      setDraft(null)
    }
    return (
      <form class="edit" onSubmit={send}>
        <textarea
          aria-label="Edit the question" value={draft} rows={3} autofocus
          onInput={event => setDraft(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key === 'Escape') setDraft(null)
          }}
        />
        <div class="row end">
          <span class="note">Later answers of this chat are deleted.</span>
          <button type="button" class="quiet" onClick={() => setDraft(null)}>Cancel</button>
          <button type="submit" class="primary">Ask again</button>
        </div>
      </form>
    )
  }
  return (
    <div class="question">
      <h2 class="hidden">Question</h2>
      <div class="bubble"><Plain text={question} /></div>
      <div class="tools">
        <IconButton label="Edit the question" icon="edit" onClick={() => setDraft(question)} />
        <CopyButton label="Copy the question" text={() => question} />
      </div>
    </div>
  )
}

interface PartProps {
  app: App
  part: Part
  turn: Turn
  newest: boolean
}

const PartView = memo(({ app, part, turn, newest }: PartProps) => {
  switch (part.kind) {
    case 'reasoning':
      return <Reasoning part={part} turn={turn} running={isOpen(turn) && newest} />
    case 'text':
      if (part.refusal) return <div class="refusal"><Plain text={part.text} /></div>
      return <Answer text={part.text} turn={turn} />
    case 'call':
      return <Call app={app} part={part} turn={turn} />
  }
})

/** An answer under a schema is JSON, which reads better laid out. */
function Answer({ text, turn }: { text: string; turn: Turn }) {
  if (!turn.request.text) return <Markdown text={text} />
  return <CodeBlock text={isOpen(turn) ? text : pretty(text)} language="json" />
}

const TITLE = /^\*\*(.+?)\*\*/

function Reasoning({ part, turn, running }: { part: Part & { kind: 'reasoning' }; turn: Turn; running: boolean }) {
  const took = (part.ended ?? 0) - part.began
  const doing = running ? TITLE.exec(part.summary.at(-1) ?? '')?.[1] : undefined
  const head = running ? 'Thinking' : turn.times.exact && took > 0 ? `Thought for ${seconds(took)}` : 'Thought'
  const empty = part.summary.length === 0 && !part.raw
  if (empty && !running) return null
  return (
    <div class="reasoning">
      {(part.summary.length > 0 || empty) && (
        <details>
          <summary>
            <Icon name="chevron" />
            <span class={running ? 'busy' : ''}>{head}{doing && <span class="doing">: {doing}</span>}</span>
          </summary>
          <div class="fold">
            {empty && <p class="note">No summary yet.</p>}
            {part.summary.map((text, index) => <Markdown key={index} text={text} />)}
          </div>
        </details>
      )}
      {part.raw && (
        <details class="raw">
          <summary>
            <Icon name="chevron" />
            <span>Raw chain of thought</span>
            <span class="mark">raw key</span>
          </summary>
          <div class="fold">
            <p class="note">
              Unfiltered text of the model, shown because your key may read it. Each reading is on the access log.
            </p>
            <Plain text={part.raw} />
          </div>
        </details>
      )}
    </div>
  )
}

function Call({ app, part, turn }: { app: App; part: Part & { kind: 'call' }; turn: Turn }) {
  const [draft, setDraft] = useState('')
  const asks = part.result === undefined && openCalls(turn).includes(part)
  const send = (event: Event) => {
    event.preventDefault()
    app.giveResult(turn.id, part.callId, draft)
  }
  return (
    <section class="call" aria-label={`Call of ${part.name}`}>
      <header><Icon name="tool" /><span>Calls <code>{part.name}</code></span></header>
      <CodeBlock text={part.complete ? pretty(part.arguments) : part.arguments} language="arguments" />
      {part.result !== undefined && <CodeBlock text={pretty(part.result)} language="result" />}
      {asks && (
        <form onSubmit={send}>
          <label>
            Result
            <textarea rows={2} value={draft} placeholder="Run the function yourself and paste what it returns"
              onInput={event => setDraft(event.currentTarget.value)} />
          </label>
          <div class="row end"><button type="submit" class="primary">Send the result</button></div>
        </form>
      )}
    </section>
  )
}

function Ending({ app, turn, interrupted, last }: TurnProps) {
  if (isOpen(turn)) {
    const text = waitingFor(turn, interrupted)
    if (!text) return null
    return (
      <p class={`waiting ${interrupted ? 'lost' : ''}`}>
        <span class="dot" />{text}<Waited since={turn.times.sent} />
      </p>
    )
  }
  const unasked = turn.warnings.filter(warning => !warning.startsWith('reasoning_lost'))
  return (
    <>
      {turn.state === 'cancelled' && <p class="notice">Stopped. What was said until then stays.</p>}
      {turn.failure && (
        <div class="notice bad" role="alert">
          <strong>{turn.failure.title}.</strong> {turn.failure.detail}
          {turn.failure.again && last && (
            <button type="button" class="quiet" onClick={() => app.regenerate(turn.id)}>Try again</button>
          )}
        </div>
      )}
      {unasked.map(warning => <p class="notice" key={warning}>{warning}</p>)}
    </>
  )
}

function waitingFor(turn: Turn, interrupted: boolean): string {
  if (interrupted) return 'Connection lost. The gateway continues the answer; connecting again …'
  if (turn.stopping) return 'Stopping …'
  if (turn.parts.length > 0) return ''
  return turn.responseId ? 'Waiting for the model …' : 'Sending …'
}

/** Shows that time passes, from the third second on. */
function Waited({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now - since < 3_000 ? null : <span class="note" aria-hidden="true">{seconds(now - since)}</span>
}

/** Whether this gateway serves the pages of operators. */
const consoleIsOn = (): boolean => document.documentElement.dataset.console === 'on'

function Foot({ app, turn, last }: { app: App; turn: Turn; last: boolean }) {
  const [code, setCode] = useState(false)
  const text = () => turn.parts.map(part => (part.kind === 'text' ? part.text : '')).filter(Boolean).join('\n\n')
  return (
    <footer>
      <div class="tools">
        <CopyButton label="Copy the answer" text={text} />
        {last && <IconButton label="Answer again" icon="again" onClick={() => app.regenerate(turn.id)} />}
        <IconButton label="Show as code" icon="code" onClick={() => setCode(true)} />
        {consoleIsOn() && turn.responseId && (
          // The opened page inherits the tab's key, with which it can replay the stream.
          <a class="ghost" href={`/console/responses/${turn.responseId}`} target="_blank" rel="opener"
            aria-label="What happened" title="What happened, for operators">
            <Icon name="clock" />
          </a>
        )}
      </div>
      <dl class="figures">
        {figures(turn).map(figure => (
          <div key={figure.label} title={figure.hint}><dt>{figure.label}</dt><dd>{figure.value}</dd></div>
        ))}
      </dl>
      {code && <CodeDialog request={turn.request} onClose={() => setCode(false)} />}
    </footer>
  )
}
