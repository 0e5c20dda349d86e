import { useState } from 'preact/hooks'
import type { App } from '../app'
import { key } from '../key'

/** Asks for the key. */
export function DoorView({ app }: { app: App }) {
  const { door, failure } = app.state
  const [draft, setDraft] = useState('')
  const checking = door === 'checking'
  const known = key() !== ''
  const send = (event: Event) => {
    event.preventDefault()
    if (known && !draft.trim()) void app.connect()
    else if (draft.trim()) void app.enter(draft)
  }
  return (
    <main class="door">
      <form onSubmit={send} aria-busy={checking}>
        <Brand />
        <h1>{checking ? 'Connecting …' : 'Ask the model'}</h1>
        <p>Counterpoint serves open models behind the OpenAI API. This page asks them with an API key.</p>
        {failure && <div class="notice bad" role="alert"><strong>{failure.title}.</strong> {failure.detail}</div>}
        <label>
          API key
          <input type="password" name="key" autocomplete="off" spellcheck={false} value={draft} disabled={checking}
            placeholder={known ? 'A key is held; press Continue to try again' : 'cp-…'}
            onInput={event => setDraft(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary wide" disabled={checking || (!known && !draft.trim())}>Continue</button>
        <p class="note">
          The key stays in this tab and goes to this gateway only. <code>deploy/local/up</code> prints an address with a
          key inside.
        </p>
      </form>
    </main>
  )
}

export function Brand() {
  return (
    <div class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d="M4 21c5-14 9-14 12-5s7 9 12-5" /><path class="second" d="M4 11c5 14 9 14 12 5s7-9 12 5" />
      </svg>
      <span>Counterpoint</span>
    </div>
  )
}
