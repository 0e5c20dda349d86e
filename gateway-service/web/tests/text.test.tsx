import { describe, expect, it, vi } from 'vitest'
import type { VNode } from 'preact'
import { BlockSplitter, isPlain, markdown } from '../src/blocks'
import { fault } from '../src/choices'
import { figures, fill } from '../src/figures'
import { code, LANGUAGES, requestOf } from '../src/request'
import { SCHEMA_EXAMPLES, TOOL_EXAMPLES, USUAL } from '../src/choices'
import { pieces, title, visible } from '../src/text'
import { elements } from '../src/ui/markdown'
import { golden, play } from './golden'

const ANSWER = '# Bow\n\nA **rainbow** and\na drop:\n\n- one\n- two\n\n  more\n\n```js\nlet a = 1\n\n\nlet b\n```\n\n'
  + '| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.'

/** The tags and texts of what Markdown becomes. */
function outline(source: string): string {
  const walk = (node: unknown): string => {
    if (Array.isArray(node)) return node.map(walk).join('')
    if (node === null || typeof node !== 'object') return String(node ?? '').replaceAll('<', '‹')
    const { type, props } = node as VNode<Record<string, unknown>>
    const name = typeof type === 'string' ? type : (type as { name: string }).name
    const kept = ['href', 'text', 'start'].filter(key => props[key] !== undefined)
    const more = kept.map(key => ` ${key}=${String(props[key])}`)
    return `<${name}${more.join('')}>${walk(props.children)}</${name}>`
  }
  return walk(elements(markdown.parse(source, {})))
}

describe('Markdown', () => {
  it('becomes the same blocks however it grows', () => {
    const whole = new BlockSplitter().update(ANSWER)
    expect(whole.map(block => block.source).join('')).toBe(ANSWER)
    expect(whole).toHaveLength(6)
    const growing = new BlockSplitter()
    for (let length = 0; length < ANSWER.length; length++) growing.update(ANSWER.slice(0, length))
    expect(growing.update(ANSWER)).toEqual(whole)
    expect(growing.update('Other')).toEqual([{ source: 'Other', continues: false }])
  })

  it.each([
    ['words without an end', (index: number) => ` verifiable${index}`],
    ['sentences with mark-up', (index: number) => [' Some', ' **bold', ' words**', ' `code`', ' and', ' [a link](https://a.example).'][index % 6]!],
    ['paragraphs', (index: number) => (index % 60 === 59 ? '.\n\n' : ` word${index}`)],
    ['list items', (index: number) => (index % 20 === 19 ? '\n\nText.\n\n' : `\n- item ${index}`)],
  ])('parses little for each delta of 5,000: %s', (_, delta) => {
    const parse = vi.spyOn(markdown.block, 'parse')
    const splitter = new BlockSplitter()
    let text = ''
    let most = 0
    let all = 0
    let before = splitter.update(text)
    for (let index = 0; index < 5_000; index++) {
      text += delta(index)
      parse.mockClear()
      const blocks = splitter.update(text)
      const parsed = parse.mock.calls.reduce((sum, call) => sum + call[0].length, 0)
      most = Math.max(most, parsed)
      all += parsed
      // The page draws only blocks that changed.
      expect(before.slice(0, -1).every((block, at) => block === blocks[at])).toBe(true)
      before = blocks
    }
    parse.mockRestore()
    expect(before.map(block => block.source).join('')).toBe(text)
    expect(Math.max(...before.map(block => block.source.length))).toBeLessThan(2_200)
    expect(most).toBeLessThan(20_000)
    expect(all / 5_000).toBeLessThan(2_500)
  })

  it('cuts a long paragraph where no mark-up is open', () => {
    const open = `${'word '.repeat(300)}**${'bold. '.repeat(200)}** ${'word '.repeat(200)}`
    const blocks = new BlockSplitter().update(open)
    expect(blocks.map(block => block.source).join('')).toBe(open)
    expect(blocks.filter(block => (block.source.match(/\*\*/g) ?? []).length === 1)).toEqual([])
    const cut = new BlockSplitter().update('A sentence of words. '.repeat(200))
    expect(cut.map(block => block.continues)).toEqual([false, true, true])
    expect(cut[0]!.source).toMatch(/words\. $/)
  })

  it('is made of elements', () => {
    expect(outline('A **b** `c`\n1. d')).toBe('<p>A <strong>b</strong> <code>c</code></p><ol><li>d</li></ol>')
    expect(outline('# a')).toBe('<h3>a</h3>')
    expect(outline('[a](https://b.example/?q="x")')).toBe('<p><a href=https://b.example/?q=%22x%22>a</a></p>')
  })

  it.each([
    '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[a](javascript:alert(1))', '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)', '[a](vbscript:x)', '[a](\u0001javascript:alert(1))',
    '![a](https://evil.example/pixel.png)', '<a href="javascript:alert(1)">a</a>', '[a](file:///etc/passwd)',
    '[a](//evil.example)', '<svg onload=alert(1)>', '[a](java&#x0A;script:alert(1))',
  ])('shows %s as text', source => {
    expect(outline(source)).not.toMatch(/<(script|img|svg|a)[ >]/)
    expect(outline(source)).toMatch(/^<p>/)
  })

  it('shows controls that reorder text', () => {
    expect(visible('a\u202Eb\u2066c')).toBe('a⟨U+202E⟩b⟨U+2066⟩c')
    expect(outline('`\u202Ex`')).toBe('<p><code>⟨U+202E⟩x</code></p>')
  })

  it('leaves a megabyte without a blank as it is', () => {
    const long = 'x'.repeat(1_000_000)
    expect(isPlain(long)).toBe(true)
    expect(isPlain('a b\n'.repeat(1_000))).toBe(false)
    expect(pieces(long).join('')).toBe(long)
    expect(pieces('a\n'.repeat(3_000)).every(piece => piece.endsWith('\n'))).toBe(true)
    expect(pieces('😀'.repeat(3_000)).every(piece => !/^[\udc00-\udfff]/.test(piece))).toBe(true)
  })
})

describe('a request', () => {
  const choices = {
    ...USUAL, tools: [TOOL_EXAMPLES[0]!.value, { ...TOOL_EXAMPLES[1]!.value, on: false }],
    instructions: " It's brief. ", schemaOn: true, schema: SCHEMA_EXAMPLES[0]!.value,
  }
  const request = requestOf('m', 'Say "it\'s" \\ fine', choices, 'resp_1')

  it('has what was chosen', () => {
    expect(request).toMatchObject({
      model: 'm', background: true, stream: true, previous_response_id: 'resp_1', instructions: "It's brief.",
      reasoning: { effort: 'medium', summary: 'auto' }, text: { format: { name: 'verdict', strict: true } },
    })
    expect(request.tools).toHaveLength(1)
    expect(requestOf('m', 'x', { ...USUAL, summary: 'off' }, undefined)).toEqual(
      { model: 'm', input: 'x', background: true, stream: true, reasoning: { effort: 'medium' } })
  })

  it.each(LANGUAGES)('is code in %s, without a key', language => {
    const text = code(language, request, 'http://localhost:8080')
    expect(text).toContain('COUNTERPOINT_API_KEY')
    expect(text).toContain('http://localhost:8080/v1')
    expect(text).not.toContain('background')
  })

  it('quotes what a shell and Python read otherwise', () => {
    expect(code('curl', request, 'o')).toContain(`it'\\''s`)
    expect(code('Python', request, 'o')).toContain('"strict": True')
    expect(code('Java', request, 'o')).toContain('Say \\\\"it\'s\\\\" \\\\\\\\ fine')
  })

  it('has names and schemas that can be sent', () => {
    expect(fault('a b', '{}')).toMatch('name')
    expect(fault('a', '{')).toMatch('not JSON')
    expect(fault('a', '[]')).toMatch('object')
    for (const { value } of SCHEMA_EXAMPLES) expect(fault(value.name, JSON.stringify(value.schema))).toBeNull()
    for (const { value: { definition } } of TOOL_EXAMPLES) {
      expect(fault(definition.name, JSON.stringify(definition.parameters))).toBeNull()
    }
    expect([SCHEMA_EXAMPLES.length, TOOL_EXAMPLES.length]).toEqual([3, 3])
  })
})

describe('figures', () => {
  const turn = play(golden('reasoning-summary'))
  const labels = (of: typeof turn) => figures(of).map(figure => figure.label)

  it('say how long things took and what they cost', () => {
    expect(figures(turn).map(figure => `${figure.label} ${figure.value}`)).toEqual([
      'First text 19 s', 'Queue 2.0 s', 'Speed 0.6 tokens/s', 'Output 12 tokens', 'Reasoning 5 tokens',
      'Input 20 tokens',
    ])
    expect(fill([turn], 64)).toEqual({ used: 32, part: 0.5 })
    expect(fill([], 64)).toBeNull()
  })

  it('leave out times that an interruption made meaningless', () => {
    expect(labels({ ...turn, times: { ...turn.times, exact: false } })).toEqual(['Output', 'Reasoning', 'Input'])
  })

  it('name a chat by its question', () => {
    expect(title('  a\n b ')).toBe('a b')
    expect(title('x'.repeat(90))).toHaveLength(48)
  })
})
