import { useEffect, useState } from 'preact/hooks'
import { Brand } from '../ui/door'
import { Admin, reasonOf } from './admin'
import { Failure } from './parts'
import { OverviewPage } from './overview'
import { ResponseLookup, ResponsePage } from './response'
import { TenantPage } from './tenant'
import { TenantsPage } from './tenants'
import { UsagePage } from './usage'

const PLACES = [['/console', 'Overview'], ['/console/tenants', 'Tenants'], ['/console/usage', 'Usage'],
  ['/console/responses', 'Responses']] as const

export type Go = (path: string) => void

/** The pages of operators. The address says which page is shown; the token is never part of it. */
export function Console() {
  const [place, setPlace] = useState(location.pathname)
  const [open, setOpen] = useState(false)
  const [admin] = useState(() => new Admin(() => setOpen(false)))
  useEffect(() => {
    const onBack = () => setPlace(location.pathname)
    window.addEventListener('popstate', onBack)
    return () => window.removeEventListener('popstate', onBack)
  }, [])
  const go = (path: string) => {
    history.pushState(null, '', path)
    setPlace(path)
  }
  if (!open) return <TokenDoor admin={admin} onOpen={() => setOpen(true)} />
  const section = PLACES.findLast(([path]) => place === path || place.startsWith(`${path}/`))?.[0]
  return (
    <div class="console">
      <header class="bar">
        <Brand />
        <nav aria-label="Console">
          {PLACES.map(([path, name]) => (
            <Link key={path} to={path} go={go} current={path === section}>{name}</Link>
          ))}
        </nav>
        <span class="push" />
        <button type="button" class="chip" onClick={() => admin.close()}>Close</button>
      </header>
      <main key={place}>{pageOf(place, admin, go)}</main>
    </div>
  )
}

function pageOf(place: string, admin: Admin, go: Go) {
  const [, , area, id] = place.split('/').map(decodeURIComponent)
  if (area === 'tenants') return id ? <TenantPage admin={admin} id={id} go={go} /> : <TenantsPage admin={admin} go={go} />
  if (area === 'usage') return <UsagePage admin={admin} />
  if (area === 'responses') return id ? <ResponsePage admin={admin} id={id} /> : <ResponseLookup go={go} />
  return <OverviewPage admin={admin} />
}

interface LinkProps {
  to: string
  go: Go
  current?: boolean
  children: string
}

/** Changes the page without loading it anew, which would lose the token. */
export function Link({ to, go, current, children }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  return <a href={to} aria-current={current ? 'page' : undefined} onClick={follow}>{children}</a>
}

function TokenDoor({ admin, onOpen }: { admin: Admin; onOpen: () => void }) {
  const [draft, setDraft] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const send = (event: Event) => {
    event.preventDefault()
    setBusy(true)
    admin.open(draft.trim()).then(onOpen, (error: unknown) => {
      setBusy(false)
      setFailure(reasonOf(error))
    })
  }
  return (
    <main class="door">
      <form onSubmit={send} aria-busy={busy}>
        <Brand />
        <h1>Console</h1>
        <p>Tenants, keys, usage, workers and queues of this gateway.</p>
        <Failure text={failure} />
        <label>
          Admin token
          <input type="password" autocomplete="off" spellcheck={false} value={draft} disabled={busy}
            onInput={event => setDraft(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary wide" disabled={busy || !draft.trim()}>Open</button>
        <p class="note">
          The token stays in the memory of this page: a reload asks for it again. <code>deploy/local/up</code> writes it
          to <code>deploy/local/.state/env</code> as COUNTERPOINT_ADMIN_TOKEN.
        </p>
      </form>
    </main>
  )
}
