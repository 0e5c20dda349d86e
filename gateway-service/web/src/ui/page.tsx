import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { App } from '../app'
import { fill } from '../figures'
import { readSetting, writeSetting, type Chat } from '../store'
import { count } from '../text'
import { isOpen, type Turn } from '../turn'
import { Composer } from './composer'
import { Brand, DoorView } from './door'
import { Dialog, Icon, IconButton, memo } from './parts'
import { showTheme, type Theme } from './theme'
import { TurnView } from './turn'

export function Page({ app }: { app: App }) {
  const [, setDrawn] = useState(0)
  const [drawer, setDrawer] = useState(false)
  useEffect(() => app.subscribe(() => setDrawn(number => number + 1)), [app])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey && event.code === 'KeyN') app.select(null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [app])
  const said = <p class="hidden" role="status" aria-live="polite">{app.state.said}</p>
  if (app.state.door !== 'open') return <>{said}<DoorView app={app} /></>
  const chat = app.chat()
  return (
    <div class={`frame ${drawer ? 'drawn' : ''}`}>
      {said}
      <Sidebar
        app={app} chats={app.state.chats} current={app.state.current} lasts={app.state.lasts}
        onClose={() => setDrawer(false)}
      />
      <div class="veil" onClick={() => setDrawer(false)} />
      <main>
        <Header app={app} onMenu={() => setDrawer(true)} />
        {chat && chat.turns.length > 0
          ? <Transcript key={chat.id} app={app} turns={chat.turns} interrupted={app.state.interrupted} />
          : <Welcome app={app} />}
        <Composer app={app} />
      </main>
    </div>
  )
}

interface SidebarProps {
  app: App
  chats: Chat[]
  current: string | null
  lasts: boolean
  onClose: () => void
}

function Sidebar({ app, chats, current, lasts, onClose }: SidebarProps) {
  const [theme, setTheme] = useState<Theme>(readSetting('theme', 'system'))
  const [deleted, setDeleted] = useState<Chat | null>(null)
  const choose = (chosen: Theme) => {
    writeSetting('theme', chosen)
    showTheme(chosen)
    setTheme(chosen)
  }
  const select = (id: string | null) => {
    app.select(id)
    onClose()
  }
  const remove = (chat: Chat) => {
    setDeleted(null)
    void app.remove(chat.id)
  }
  return (
    <nav class="sidebar" aria-label="Chats" onKeyDown={event => { if (event.key === 'Escape') onClose() }}>
      <div class="row">
        <Brand /><span class="push" />
        <IconButton label="Close the list" icon="close" class="narrow" onClick={onClose} />
      </div>
      <button type="button" class="new" title="New chat (Alt+N)" onClick={() => select(null)}>
        <Icon name="plus" />New chat
      </button>
      <ul>
        {chats.map(chat => (
          <li key={chat.id} class={chat.id === current ? 'current' : ''}>
            <button
              type="button" aria-current={chat.id === current ? 'true' : undefined} onClick={() => select(chat.id)}
            >
              {chat.turns.some(isOpen) && <span class="dot" title="Being answered" />}{chat.title}
            </button>
            <IconButton label={`Delete the chat ${chat.title}`} icon="bin" onClick={() => setDeleted(chat)} />
          </li>
        ))}
      </ul>
      {deleted && (
        <Dialog title="Delete this chat?" onClose={() => setDeleted(null)}>
          <p>“{deleted.title}” is deleted in this browser, and its answers at the gateway.</p>
          <div class="row end">
            <button type="button" class="quiet" onClick={() => setDeleted(null)}>Keep</button>
            <button type="button" class="primary" onClick={() => remove(deleted)}>Delete</button>
          </div>
        </Dialog>
      )}
      <footer>
        <p class="note">
          {lasts ? 'Chats are kept in this browser only.' : 'This browser keeps nothing: chats end with the tab.'}
        </p>
        <div class="row">
          <label class="chip select"><Icon name="sun" /><span class="hidden">Theme</span>
            <select value={theme} onChange={event => choose(event.currentTarget.value as Theme)}>
              <option value="system">System</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </select>
          </label>
          <button type="button" class="chip" onClick={() => app.leave()}><Icon name="key" />Other key</button>
        </div>
      </footer>
    </nav>
  )
}

function Header({ app, onMenu }: { app: App; onMenu: () => void }) {
  const { models, model } = app.state
  const chosen = models.find(one => one.id === model)
  const context = fill(app.chat()?.turns ?? [], chosen?.context_length)
  const simulated = /^simulated/i.test(chosen?.description ?? '')
  return (
    <header class="top">
      <IconButton label="Open the list of chats" icon="menu" class="narrow" onClick={onMenu} />
      <div class="model">
        <div class="row">
          <label class="select"><span class="hidden">Model</span>
            <select value={model} onChange={event => app.chooseModel(event.currentTarget.value)}>
              {models.map(one => <option key={one.id} value={one.id}>{one.id}</option>)}
              {models.length === 0 && <option value="">No model yet</option>}
            </select>
          </label>
          {simulated && <span class="mark">simulated</span>}
        </div>
        <p class="note" title={chosen?.description ?? ''}>{chosen?.description ?? 'No worker serves a model yet.'}</p>
      </div>
      {context && chosen?.context_length && (
        <div class="gauge" title={`${count(context.used)} of ${count(chosen.context_length)} tokens`}>
          <label for="context">Context</label>
          <meter id="context" min={0} max={1} value={context.part}>{Math.round(context.part * 100)} %</meter>
          <span>{percent(context.part)}</span>
        </div>
      )}
    </header>
  )
}

const percent = (part: number): string => (part > 0 && part < 0.01 ? '< 1 %' : `${Math.round(part * 100)} %`)

const QUESTIONS = [
  'Explain how a rainbow forms, in three sentences.',
  'Compare bubble sort and merge sort in a table.',
  'Write a haiku about an organ fugue.',
]

function Welcome({ app }: { app: App }) {
  return (
    <div class="welcome">
      <h1>What would you like to know?</h1>
      <p>Answers run at the gateway: they go on when you reload the page or lose the network.</p>
      <ul class="plainlist">
        {QUESTIONS.map(question => (
          <li key={question}><button type="button" onClick={() => app.ask(question)}>{question}</button></li>
        ))}
      </ul>
    </div>
  )
}

interface TranscriptProps {
  app: App
  turns: Turn[]
  interrupted: ReadonlySet<string>
}

const NEAR_THE_END = 60

/** Stays at the end while the answer grows, until the reader scrolls up. */
const Transcript = memo(({ app, turns, interrupted }: TranscriptProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  const [away, setAway] = useState(false)
  const toEnd = () => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!
    stuck.current = scrollHeight - scrollTop - clientHeight < NEAR_THE_END
    setAway(!stuck.current)
  }
  useLayoutEffect(() => {
    if (stuck.current) toEnd()
  }, [turns])
  useEffect(() => {
    stuck.current = true
    toEnd()
  }, [turns.length])
  return (
    <div class="scroller" ref={scroller} onScroll={onScroll} tabIndex={0} role="region" aria-label="Chat">
      <h1 class="hidden">Chat</h1>
      <div class="transcript">
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id} app={app} turn={turn} interrupted={interrupted.has(turn.id)}
            last={index === turns.length - 1}
          />
        ))}
      </div>
      {away && <div class="away"><IconButton label="To the end" icon="down" onClick={toEnd} /></div>}
    </div>
  )
})
