import { h, type ComponentChild, type VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { BlockSplitter, isPlain, markdown } from '../blocks'
import { pieces, visible } from '../text'
import { CopyButton, memo } from './parts'
import { Piece, Plain } from './plain'

type Token = ReturnType<typeof markdown.parse>[number]

/** Markdown as elements: no text ever becomes HTML, so nothing in it can run. */
export function Markdown({ text }: { text: string }) {
  const splitter = useRef(new BlockSplitter())
  const blocks = splitter.current.update(text)
  return (
    <div class="markdown">
      {blocks.map(({ source, continues }, index) => <Block key={index} source={source} continues={continues} />)}
    </div>
  )
}

/** A finished block is never parsed or compared again. */
const Block = memo(({ source, continues }: { source: string; continues: boolean }) => (
  isPlain(source)
    ? <Plain text={source} />
    : <div dir="auto" class={continues ? 'continues' : ''}>{elements(markdown.parse(source, {}))}</div>
))

interface Open {
  tag: string
  props: Record<string, unknown>
  children: ComponentChild[]
}

export function elements(tokens: Token[]): ComponentChild[] {
  const stack: Open[] = [{ tag: '', props: {}, children: [] }]
  for (const token of tokens) {
    const parent = stack.at(-1)!
    if (token.nesting === 1) {
      stack.push({ tag: token.hidden ? '' : tagOf(token), props: propsOf(token), children: [] })
    } else if (token.nesting === -1) {
      stack.pop()
      stack.at(-1)!.children.push(...closed(parent))
    } else {
      parent.children.push(...leaf(token))
    }
  }
  return stack[0]!.children
}

function closed(open: Open): ComponentChild[] {
  if (open.tag === '') return open.children
  const element = h(open.tag, open.props, ...open.children) as VNode
  if (open.tag !== 'table') return [element]
  return [<div class="table" tabIndex={0} role="group" aria-label="Table">{element}</div>]
}

/** The page has headings of its own above those of an answer. */
function tagOf(token: Token): string {
  const level = /^h([1-6])$/.exec(token.tag)?.[1]
  return level ? `h${Math.min(6, Number(level) + 2)}` : token.tag
}

function propsOf(token: Token): Record<string, unknown> {
  const address = String(token.attrGet('href') ?? '')
  if (token.tag === 'a' && address) return { href: address, target: '_blank', rel: 'noopener noreferrer' }
  const start = token.attrGet('start')
  if (token.tag === 'ol' && start) return { start: Number(start) }
  const align = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1]
  return align ? { class: align } : {}
}

function leaf(token: Token): ComponentChild[] {
  switch (token.type) {
    case 'inline':
      return elements(token.children ?? [])
    case 'softbreak':
      return ['\n']
    case 'hardbreak':
      return [<br />]
    case 'hr':
      return [<hr />]
    case 'code_inline':
      return [<code>{visible(token.content)}</code>]
    case 'fence':
    case 'code_block':
      return [<CodeBlock text={token.content.replace(/\n$/, '')} language={token.info.trim().split(/\s/)[0] ?? ''} />]
    case 'image':
      // The page loads nothing from elsewhere.
      return [<span class="image">{visible(`Image: ${token.content || String(token.attrGet('src') ?? '')}`)}</span>]
    default:
      return [visible(token.content)]
  }
}

export function CodeBlock({ text, language }: { text: string; language: string }) {
  return (
    <div class="code">
      <div class="bar"><span>{language || 'text'}</span><CopyButton label="Copy code" text={() => text} /></div>
      <pre tabIndex={0} aria-label="Code" role="region">
        <code>{pieces(text).map((piece, index) => <Piece key={index} text={piece} />)}</code>
      </pre>
    </div>
  )
}
