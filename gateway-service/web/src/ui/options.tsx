import { useState } from 'preact/hooks'
import type { App } from '../app'
import { fault, SCHEMA_EXAMPLES, TOOL_EXAMPLES, type Tool } from '../choices'
import type { SchemaFormat } from '../wire'
import { Dialog, IconButton } from './parts'

interface SheetProps {
  app: App
  onClose: () => void
}

export function InstructionsDialog({ app, onClose }: SheetProps) {
  return (
    <Dialog title="Instructions" onClose={onClose}>
      <label>
        What the model is to keep in mind with every question
        <textarea rows={6} value={app.state.choices.instructions} placeholder="Answer in one sentence."
          onInput={event => app.choose({ instructions: event.currentTarget.value })} />
      </label>
    </Dialog>
  )
}

export function SchemaDialog({ app, onClose }: SheetProps) {
  const { schema, schemaOn } = app.state.choices
  const [draft, setDraft] = useState(textOf(schema ?? SCHEMA_EXAMPLES[0]!.value))
  const wrong = fault(draft.name, draft.text)
  const save = (event: Event) => {
    event.preventDefault()
    if (wrong) return
    const { name, text, strict } = draft
    const schema: SchemaFormat = { type: 'json_schema', name, schema: JSON.parse(text), strict }
    app.choose({ schema, schemaOn: true })
    onClose()
  }
  const free = () => {
    app.choose({ schemaOn: false })
    onClose()
  }
  return (
    <Dialog title="Hold the answer to a schema" onClose={onClose}>
      <Examples all={SCHEMA_EXAMPLES} onChoose={value => setDraft(textOf(value))} />
      <form onSubmit={save}>
        <Line label="Name" text={draft.name} onInput={name => setDraft({ ...draft, name })} />
        <SchemaField
          label="JSON Schema" text={draft.text} wrong={wrong} onInput={text => setDraft({ ...draft, text })}
        />
        <Switch label="Strict" note="The model can write nothing that breaks the schema." on={draft.strict}
          onChange={strict => setDraft({ ...draft, strict })} />
        <div class="row end">
          {schemaOn && <button type="button" class="quiet" onClick={free}>Answer in free text</button>}
          <button type="submit" class="primary" disabled={wrong !== null}>Use the schema</button>
        </div>
      </form>
    </Dialog>
  )
}

const textOf = (format: SchemaFormat) => ({
  name: format.name, text: JSON.stringify(format.schema, null, 2), strict: format.strict,
})

export function FunctionsDialog({ app, onClose }: SheetProps) {
  const tools = app.state.choices.tools
  const [edited, setEdited] = useState<number | null>(null)
  const put = (index: number, tool: Tool) => app.choose({ tools: tools.map((one, at) => (at === index ? tool : one)) })
  const add = (tool: Tool) => {
    const names = new Set(tools.map(one => one.definition.name))
    let name = tool.definition.name
    for (let number = 2; names.has(name); number++) name = `${tool.definition.name}_${number}`
    app.choose({ tools: [...tools, { ...tool, definition: { ...tool.definition, name } }] })
    setEdited(tools.length)
  }
  const save = (tool: Tool) => {
    put(edited!, tool)
    setEdited(null)
  }
  const shown = edited === null ? undefined : tools[edited]
  return (
    <Dialog title={shown ? 'Function' : 'Functions the model may call'} onClose={onClose}>
      {shown ? (
          <FunctionForm
            key={edited} tool={shown} names={tools.filter(one => one !== shown).map(one => one.definition.name)}
            onSave={save} onBack={() => setEdited(null)}
          />
        ) : (
          <>
            <Examples all={TOOL_EXAMPLES} onChoose={add} />
            {tools.length === 0 && <p class="note">None yet. Begin with an example and change it.</p>}
            <ul class="plainlist">
              {tools.map((tool, index) => (
                <li key={tool.definition.name} class="row">
                  <Switch
                    label={tool.definition.name} note={tool.definition.description ?? ''} on={tool.on}
                    onChange={on => put(index, { ...tool, on })}
                  />
                  <span class="push" />
                  <IconButton label={`Change ${tool.definition.name}`} icon="edit" onClick={() => setEdited(index)} />
                  <IconButton label={`Remove ${tool.definition.name}`} icon="bin"
                    onClick={() => app.choose({ tools: tools.filter(one => one !== tool) })} />
                </li>
              ))}
            </ul>
          </>
        )}
    </Dialog>
  )
}

interface FunctionFormProps {
  tool: Tool
  names: string[]
  onSave: (tool: Tool) => void
  onBack: () => void
}

function FunctionForm({ tool, names, onSave, onBack }: FunctionFormProps) {
  const [draft, setDraft] = useState({
    name: tool.definition.name, description: tool.definition.description ?? '', strict: tool.definition.strict,
    text: JSON.stringify(tool.definition.parameters, null, 2), answer: tool.answer,
  })
  const wrong = names.includes(draft.name) ? 'Another function has this name.' : fault(draft.name, draft.text)
  const save = (event: Event) => {
    event.preventDefault()
    if (wrong) return
    const { name, description, strict, text, answer } = draft
    const parameters: unknown = JSON.parse(text)
    onSave({ on: true, answer, definition: { type: 'function', name, description, parameters, strict } })
  }
  return (
    <form onSubmit={save}>
      <Line label="Name" text={draft.name} onInput={name => setDraft({ ...draft, name })} />
      <Line
        label="What it does" text={draft.description} onInput={description => setDraft({ ...draft, description })}
      />
      <SchemaField
        label="Arguments, as JSON Schema" text={draft.text} wrong={wrong}
        onInput={text => setDraft({ ...draft, text })}
      />
      <Switch label="Strict" note="The model can write no arguments that break the schema." on={draft.strict}
        onChange={strict => setDraft({ ...draft, strict })} />
      <label>
        Result of each call
        <textarea rows={2} value={draft.answer} placeholder="Leave empty to be asked for the result"
          onInput={event => setDraft({ ...draft, answer: event.currentTarget.value })} />
      </label>
      <div class="row end">
        <button type="button" class="quiet" onClick={onBack}>Back</button>
        <button type="submit" class="primary" disabled={wrong !== null}>Save</button>
      </div>
    </form>
  )
}

interface LineProps {
  label: string
  text: string
  onInput: (text: string) => void
}

function Line({ label, text, onInput }: LineProps) {
  return <label>{label}<input value={text} onInput={event => onInput(event.currentTarget.value)} /></label>
}

interface SchemaFieldProps extends LineProps {
  wrong: string | null
}

function SchemaField({ label, text, wrong, onInput }: SchemaFieldProps) {
  return (
    <>
      <label>
        {label}
        <textarea class="mono" rows={9} spellcheck={false} value={text} aria-invalid={wrong !== null}
          onInput={event => onInput(event.currentTarget.value)} />
      </label>
      <p class="fault" role="status">{wrong ?? ''}</p>
    </>
  )
}

function Examples<T>({ all, onChoose }: { all: { label: string; value: T }[]; onChoose: (value: T) => void }) {
  return (
    <div class="row examples" role="group" aria-label="Examples">
      <span class="note">Examples</span>
      {all.map(example => (
        <button type="button" class="chip" key={example.label} onClick={() => onChoose(example.value)}>
          {example.label}
        </button>
      ))}
    </div>
  )
}

interface SwitchProps {
  label: string
  note: string
  on: boolean
  onChange: (on: boolean) => void
}

function Switch({ label, note, on, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <input type="checkbox" role="switch" checked={on} onChange={event => onChange(event.currentTarget.checked)} />
      <span>{label}<small>{note}</small></span>
    </label>
  )
}
