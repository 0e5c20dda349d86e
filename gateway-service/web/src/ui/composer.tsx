import { useEffect, useRef, useState } from 'preact/hooks'
import type { App } from '../app'
import { isOpen, openCalls } from '../turn'
import type { Effort, SummaryMode } from '../wire'
import { FunctionsDialog, InstructionsDialog, SchemaDialog } from './options'
import { Icon } from './parts'

const EFFORTS: Record<Effort, string> = { low: 'Low', medium: 'Medium', high: 'High' }
const SUMMARIES: Record<SummaryMode, string> = { auto: 'Auto', concise: 'Concise', detailed: 'Detailed', off: 'Off' }

type Sheet = 'functions' | 'schema' | 'instructions'

export function Composer({ app }: { app: App }) {
  const [draft, setDraft] = useState('')
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const { choices, current } = app.state
  const last = app.chat()?.turns.at(-1)
  const running = last && isOpen(last) ? last : null
  const calls = last ? openCalls(last).length : 0
  useEffect(() => {
    // A phone's keyboard would cover the chat.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus()
  }, [current])

  const waits = running !== null || calls > 0 || !app.state.model
  const hint = calls > 0 ? 'The model waits for the result of a function'
    : app.state.model ? 'Ask something' : 'No worker serves a model yet'
  const send = (event: Event) => {
    event.preventDefault()
    const question = draft.trim()
    if (!question || waits) return
    app.ask(question)
    setDraft('')
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event)
    if (event.key === 'Escape' && running) void app.stop(running.id)
  }
  const on = choices.tools.filter(tool => tool.on).length
  // The sheets have forms of their own, so they are not inside this one.
  return (
    <>
      <form class="composer" onSubmit={send} aria-label="Ask">
        <textarea
          ref={field} rows={1} value={draft} aria-label="Your question"
          placeholder={hint}
          onInput={event => setDraft(event.currentTarget.value)} onKeyDown={onKey}
        />
        <div class="row">
          <Choice label="Effort" value={choices.effort} of={EFFORTS} onChange={effort => app.choose({ effort })} />
          <Choice
            label="Summary" value={choices.summary} of={SUMMARIES} onChange={summary => app.choose({ summary })}
          />
          <button type="button" class="chip" aria-haspopup="dialog" onClick={() => setSheet('functions')}>
            <Icon name="tool" /><span>Functions</span>{on > 0 && <b>{on}</b>}
          </button>
          <button type="button" class="chip" aria-haspopup="dialog" onClick={() => setSheet('schema')}>
            <Icon name="braces" /><span>Schema</span>{choices.schemaOn && choices.schema && <b>on</b>}
          </button>
          <button type="button" class="chip" aria-haspopup="dialog" onClick={() => setSheet('instructions')}>
            <Icon name="text" /><span>Instructions</span>{choices.instructions.trim() && <b>on</b>}
          </button>
          <span class="push" />
          {running ? (
            <button
              type="button" class="round stop" aria-label="Stop" title="Stop (Esc)"
              onClick={() => void app.stop(running.id)}
            >
              <Icon name="stop" />
            </button>
          ) : (
            <button
              type="submit" class="round" aria-label="Send" title="Send (Enter)" disabled={!draft.trim() || waits}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </form>
      {sheet === 'functions' && <FunctionsDialog app={app} onClose={() => setSheet(null)} />}
      {sheet === 'schema' && <SchemaDialog app={app} onClose={() => setSheet(null)} />}
      {sheet === 'instructions' && <InstructionsDialog app={app} onClose={() => setSheet(null)} />}
    </>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  of: Record<T, string>
  onChange: (value: T) => void
}

function ChoiceField({ label, value, of, onChange }: ChoiceProps<string>) {
  return (
    <label class="chip select">
      <span>{label}</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {Object.entries(of).map(([key, name]) => <option key={key} value={key}>{name}</option>)}
      </select>
    </label>
  )
}

const Choice = ChoiceField as unknown as <T extends string>(props: ChoiceProps<T>) => ReturnType<typeof ChoiceField>
