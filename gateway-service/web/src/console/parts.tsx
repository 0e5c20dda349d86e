import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from '../ui/parts'
import { LIMITS, reasonOf, type Limits } from './admin'

export interface Loaded<T> {
  value: T | null
  failure: string
  reload: () => void
}

/** Loads a value now, when `name` changes, on demand, and every so often while the page is seen. */
export function useLoad<T>(name: string, load: () => Promise<T>, everyMs = 0): Loaded<T> {
  const [state, setState] = useState<{ name: string; value: T | null; failure: string }>({ name, value: null, failure: '' })
  const latest = useRef(load)
  latest.current = load
  const current = useRef(name)
  current.current = name
  const reload = useCallback(() => {
    const show = (value: T | null, failure: string) => {
      if (current.current === name) {
        setState(before => ({ name, value: value ?? (before.name === name ? before.value : null), failure }))
      }
    }
    latest.current().then(value => show(value, ''), (error: unknown) => show(null, reasonOf(error)))
  }, [name])
  useEffect(reload, [reload])
  useEffect(() => {
    if (!everyMs) return undefined
    const timer = setInterval(() => { if (!document.hidden) reload() }, everyMs)
    return () => clearInterval(timer)
  }, [reload, everyMs])
  return state.name === name ? { ...state, reload } : { value: null, failure: '', reload }
}

export function Failure({ text }: { text: string }) {
  return text ? <div class="notice bad" role="alert">{text}</div> : null
}

/** @param moment seconds since 1970 */
export const clock = (moment: number | null): string =>
  moment === null ? '–' : `${new Date(moment * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export function Section({ title, more, children }: { title: string; more?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="panel" aria-label={title}>
      <header class="row"><h2>{title}</h2><span class="push" />{more}</header>
      {children}
    </section>
  )
}

/** A table that scrolls by itself where the screen is narrow. `numbers` are the columns with figures. */
export function Table({ name, head, numbers = [], rows, none }: {
  name: string
  head: string[]
  numbers?: number[]
  rows: ComponentChildren[][]
  none: string
}) {
  if (rows.length === 0) return <p class="note">{none}</p>
  const align = (column: number) => (numbers.includes(column) ? 'right' : '')
  return (
    <div class="table" tabIndex={0} role="group" aria-label={name}>
      <table>
        <thead><tr>{head.map((title, at) => <th key={title} scope="col" class={align(at)}>{title}</th>)}</tr></thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>{cells.map((cell, at) => <td key={at} class={align(at)}>{cell}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface FieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  note?: string
  type?: string
  [more: string]: unknown
}

export function Field({ label, value, onInput, note, ...more }: FieldProps) {
  return (
    <label>
      {label}
      <input value={value} onInput={event => onInput(event.currentTarget.value)} autocomplete="off" {...(more as object)} />
      {note && <small class="note">{note}</small>}
    </label>
  )
}

export type LimitTexts = Record<keyof Limits, string>

export const textsOf = (limits?: Limits): LimitTexts =>
  Object.fromEntries(names.map(name => [name, String(limits?.[name] ?? '')])) as LimitTexts

const names = Object.keys(LIMITS) as (keyof Limits)[]

/** Empty means no limit. */
export const limitsOf = (texts: LimitTexts): Limits =>
  Object.fromEntries(names.map(name => [name, texts[name].trim() ? Number(texts[name]) : null])) as unknown as Limits

/** The limits that were entered; without the empty ones, so that a new tenant gets the gateway's own. */
export const enteredLimits = (texts: LimitTexts): Partial<Limits> =>
  Object.fromEntries(Object.entries(limitsOf(texts)).filter(([, value]) => value !== null))

export function LimitFields({ texts, onChange, placeholder = 'No limit' }: {
  texts: LimitTexts
  onChange: (texts: LimitTexts) => void
  placeholder?: string
}) {
  return (
    <div class="fields">
      {names.map(name => (
        <Field key={name} label={LIMITS[name]} value={texts[name]} inputMode="numeric" type="number" min={1}
          placeholder={placeholder} onInput={value => onChange({ ...texts, [name]: value })} />
      ))}
    </div>
  )
}

export const shownLimits = (limits: Limits): string =>
  names.filter(name => limits[name] !== null)
    .map(name => `${limits[name]!.toLocaleString('en-US')} ${LIMITS[name].toLowerCase()}`).join(', ') || 'None'

interface FormProps {
  action: string
  onSubmit: () => Promise<unknown>
  children?: ComponentChildren
  also?: ComponentChildren
}

/** A form that shows why the gateway refused it. */
export function Form({ action, onSubmit, children, also }: FormProps) {
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  const send = (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setFailure('')
    onSubmit().catch((error: unknown) => setFailure(reasonOf(error))).finally(() => setBusy(false))
  }
  return (
    <form onSubmit={send} aria-busy={busy}>
      {children}
      <Failure text={failure} />
      <div class="row end">{also}<button type="submit" class="primary" disabled={busy}>{action}</button></div>
    </form>
  )
}

/** Asks before something is lost. */
export function Confirm({ title, text, action, onConfirm, onClose }: {
  title: string
  text: string
  action: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Form action={action} onSubmit={onConfirm}
        also={<button type="button" class="quiet" onClick={onClose}>Keep</button>} />
    </Dialog>
  )
}
