import { useState } from 'preact/hooks'
import { CopyButton, Dialog } from '../ui/parts'
import type { Admin, ApiKey, Tenant } from './admin'
import type { Go } from './console'
import {
  clock, Confirm, enteredLimits, Failure, Field, Form, LimitFields, limitsOf, Section, shownLimits, Table, textsOf, useLoad,
} from './parts'
import { pages } from './tenants'

interface Props {
  admin: Admin
  id: string
  go: Go
}

export function TenantPage({ admin, id, go }: Props) {
  const tenant = useLoad(id, () => admin.tenant(id))
  const [deleting, setDeleting] = useState(false)
  const shown = tenant.value
  if (!shown) return <><h1>Tenant</h1><Failure text={tenant.failure} />{!tenant.failure && <p class="note">Loading …</p>}</>
  return (
    <>
      <h1>{shown.name}</h1>
      <p class="note">
        <code>{shown.id}</code>, made {clock(shown.created_at)}.{' '}
        {shown.audit_opt_in
          ? `${shown.audit_opt_in.agreed_by} agreed to the audit, ${clock(shown.audit_opt_in.agreed_at)}.`
          : 'The tenant did not agree to the audit.'}
      </p>
      <Failure text={tenant.failure} />
      <Keys admin={admin} tenant={id} />
      <Section title="Limits">
        <TenantLimits key={JSON.stringify(shown)} admin={admin} tenant={shown} onDone={tenant.reload} />
      </Section>
      <div class="row end">
        <button type="button" class="quiet" onClick={() => setDeleting(true)}>Delete the tenant</button>
      </div>
      {deleting && (
        <Confirm title={`Delete ${shown.name}?`} action="Delete the tenant" onClose={() => setDeleting(false)}
          text="Its keys stop working at once. Its stored responses are deleted."
          onConfirm={() => admin.deleteTenant(id).then(() => go('/console/tenants'))} />
      )}
    </>
  )
}

function TenantLimits({ admin, tenant, onDone }: { admin: Admin; tenant: Tenant; onDone: () => void }) {
  const [texts, setTexts] = useState(textsOf(tenant))
  const [written, setWritten] = useState(tenant.written_summaries)
  const save = () => admin.changeTenant(tenant.id, { ...limitsOf(texts), written_summaries: written }).then(onDone)
  return (
    <Form action="Save" onSubmit={save}>
      <LimitFields texts={texts} onChange={setTexts} />
      <label class="switch">
        <input type="checkbox" role="switch" checked={written}
          onChange={event => setWritten(event.currentTarget.checked)} />
        <span>Written summaries<small>A model may write summaries, where the gateway allows it.</small></span>
      </label>
    </Form>
  )
}

function Keys({ admin, tenant }: { admin: Admin; tenant: string }) {
  const { value, failure, reload } = useLoad(tenant, () => pages(after => admin.keys(tenant, after)))
  const [making, setMaking] = useState(false)
  const [changed, setChanged] = useState<ApiKey | null>(null)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const keys = value ?? []
  const projects = [...new Set(keys.map(key => key.project))].sort()
  const done = () => {
    setChanged(null)
    setRevoked(null)
    reload()
  }
  return (
    <>
      <Failure text={failure} />
      <Section title="Projects and keys"
        more={<button type="button" class="primary" onClick={() => setMaking(true)}>New key</button>}>
        {projects.length === 0 && <p class="note">{value ? 'No keys yet.' : 'Loading …'}</p>}
        {projects.map(project => (
          <div key={project} class="group">
            <h3>{project}</h3>
            <Table name={`Keys of ${project}`} head={['Key', 'Scopes', 'Limits', 'Last used', 'State', 'Actions']} none=""
              rows={keys.filter(key => key.project === project).map(key => [
                <><strong>{key.name || 'unnamed'}</strong><br /><code>{key.prefix}</code></>,
                key.scopes.join(', ') || 'answers only', shownLimits(key), clock(key.last_used_at), stateOf(key),
                key.revoked_at === null && (
                  <span class="row">
                    <button type="button" class="quiet" aria-label={`Change the limits of ${key.name || key.prefix}`}
                      onClick={() => setChanged(key)}>Limits</button>
                    <button type="button" class="quiet" aria-label={`Revoke ${key.name || key.prefix}`}
                      onClick={() => setRevoked(key)}>Revoke</button>
                  </span>
                )])} />
          </div>
        ))}
      </Section>
      {making && <NewKey admin={admin} tenant={tenant} projects={projects} onDone={reload} onClose={() => setMaking(false)} />}
      {changed && <KeyLimits admin={admin} tenant={tenant} apiKey={changed} onDone={done} onClose={() => setChanged(null)} />}
      {revoked && (
        <Confirm title="Revoke this key?" action="Revoke the key" onClose={() => setRevoked(null)}
          text={`“${revoked.name || revoked.prefix}” stops working within seconds. This cannot be undone.`}
          onConfirm={() => admin.revokeKey(tenant, revoked.id).then(done)} />
      )}
    </>
  )
}

function stateOf(key: ApiKey): string {
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'in force'
  return key.expires_at * 1_000 < Date.now() ? 'expired' : `until ${clock(key.expires_at)}`
}

function KeyLimits({ admin, tenant, apiKey, onDone, onClose }: {
  admin: Admin
  tenant: string
  apiKey: ApiKey
  onDone: () => void
  onClose: () => void
}) {
  const [texts, setTexts] = useState(textsOf(apiKey))
  return (
    <Dialog title={`Limits of ${apiKey.name || apiKey.prefix}`} onClose={onClose}>
      <Form action="Save" onSubmit={() => admin.changeKey(tenant, apiKey.id, limitsOf(texts)).then(onDone)}>
        <LimitFields texts={texts} onChange={setTexts} />
      </Form>
    </Dialog>
  )
}

const SCOPES: Record<string, string> = {
  'reasoning:summary': 'Reads summaries of reasoning',
  'reasoning:raw': 'Reads raw reasoning; each reading is on the access log',
  webhooks: 'Sets webhooks',
}
const DAY_S = 86_400

function NewKey({ admin, tenant, projects, onDone, onClose }: {
  admin: Admin
  tenant: string
  projects: string[]
  onDone: () => void
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [project, setProject] = useState('default')
  const [scopes, setScopes] = useState(['reasoning:summary'])
  const [expires, setExpires] = useState('')
  const [texts, setTexts] = useState(textsOf())
  const [secret, setSecret] = useState('')
  const make = async () => {
    const made = await admin.makeKey(tenant, {
      ...(name.trim() ? { name: name.trim() } : {}), project: project.trim(), scopes, ...enteredLimits(texts),
      ...(expires ? { expires_at: Math.round(Date.now() / 1_000) + Number(expires) * DAY_S } : {}),
    })
    setSecret(made.secret)
    onDone()
  }
  if (secret) return <Secret secret={secret} onClose={onClose} />
  const toggle = (scope: string, on: boolean) => setScopes(on ? [...scopes, scope] : scopes.filter(one => one !== scope))
  return (
    <Dialog title="New key" onClose={onClose}>
      <Form action="Make the key" onSubmit={make}>
        <div class="fields">
          <Field label="Name" value={name} onInput={setName} maxLength={100} />
          <Field label="Project" value={project} onInput={setProject} list="projects" required />
          <Field label="Ends after days" value={expires} onInput={setExpires} type="number" min={1} placeholder="Never" />
        </div>
        <datalist id="projects">{projects.map(one => <option key={one} value={one} />)}</datalist>
        {Object.entries(SCOPES).map(([scope, note]) => (
          <label class="switch" key={scope}>
            <input type="checkbox" role="switch" checked={scopes.includes(scope)}
              onChange={event => toggle(scope, event.currentTarget.checked)} />
            <span>{scope}<small>{note}</small></span>
          </label>
        ))}
        <LimitFields texts={texts} onChange={setTexts} />
      </Form>
    </Dialog>
  )
}

/** The only time that a key is shown. */
function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="The new key" onClose={onClose}>
      <p>Copy the key now. It is shown this once.</p>
      <div class="row secret"><code>{secret}</code><CopyButton label="Copy the key" text={() => secret} /></div>
      <div class="row end"><button type="button" class="primary" onClick={onClose}>I have it</button></div>
    </Dialog>
  )
}
