import { useState } from 'preact/hooks'
import { Dialog } from '../ui/parts'
import type { Admin, List, Tenant } from './admin'
import { Link, type Go } from './console'
import { clock, enteredLimits, Failure, Field, Form, LimitFields, Section, shownLimits, Table, textsOf, useLoad } from './parts'

export function TenantsPage({ admin, go }: { admin: Admin; go: Go }) {
  const { value, failure, reload } = useLoad('tenants', () => pages(admin.tenants))
  const [making, setMaking] = useState(false)
  return (
    <>
      <h1>Tenants</h1>
      <Failure text={failure} />
      <Section title="All tenants"
        more={<button type="button" class="primary" onClick={() => setMaking(true)}>New tenant</button>}>
        <Table name="Tenants" head={['Tenant', 'Limits', 'Audit', 'Made']} none={value ? 'None yet.' : 'Loading …'}
          rows={(value ?? []).map((one: Tenant) => [
            <Link to={`/console/tenants/${one.id}`} go={go}>{one.name}</Link>, shownLimits(one),
            one.audit_opt_in ? `agreed by ${one.audit_opt_in.agreed_by}` : 'no', clock(one.created_at)])} />
      </Section>
      {making && <NewTenant admin={admin} onClose={() => setMaking(false)} onDone={tenant => {
        reload()
        go(`/console/tenants/${tenant.id}`)
      }} />}
    </>
  )
}

function NewTenant({ admin, onDone, onClose }: {
  admin: Admin
  onDone: (tenant: Tenant) => void
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [texts, setTexts] = useState(textsOf())
  return (
    <Dialog title="New tenant" onClose={onClose}>
      <Form action="Make the tenant"
        onSubmit={() => admin.makeTenant({ name: name.trim(), ...enteredLimits(texts) }).then(onDone)}>
        <Field label="Name" value={name} onInput={setName} required
          note="Letters, digits, '.', '_' and '-'. It cannot be changed." />
        <LimitFields texts={texts} onChange={setTexts} placeholder="The gateway's own" />
      </Form>
    </Dialog>
  )
}

const PAGES_MAX = 20

/** All entries of a list, up to 2,000. */
export async function pages<T>(read: (after?: string) => Promise<List<T>>): Promise<T[]> {
  const all: T[] = []
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const list = await read(after)
    all.push(...list.data)
    if (!list.has_more || !list.last_id) break
    after = list.last_id
  }
  return all
}
