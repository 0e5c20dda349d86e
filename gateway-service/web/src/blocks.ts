import MarkdownIt from 'markdown-it'

/** Without HTML and typographic changes; addresses only where the author wrote a link. */
export const markdown = new MarkdownIt('default', { html: false, linkify: false, typographer: false })
markdown.validateLink = address => /^(https?:|mailto:)/i.test(address.trim())

/** Markdown with longer blocks or lines is shown as it is: laying it out would hold up the page. */
const BLOCK_MAX = 200_000
const LINE_MAX = 40_000

export function isPlain(block: string): boolean {
  if (block.length > BLOCK_MAX) return true
  if (block.length <= LINE_MAX) return false
  return block.split('\n').some(line => line.length > LINE_MAX)
}

/**
 * Cuts a growing text into its top-level blocks. Only the last block can still change, so an added token costs as
 * much as its block is long, whatever came before.
 */
export class BlockSplitter {
  private closed: string[] = []
  private cut = 0
  private text = ''

  update(text: string): string[] {
    if (!text.startsWith(this.text.slice(0, this.cut)) || text.length < this.text.length) {
      this.closed = []
      this.cut = 0
    }
    this.text = text
    const tail = text.slice(this.cut)
    const starts = blockStarts(tail)
    for (let index = 0; index + 1 < starts.length; index++) {
      this.closed.push(tail.slice(starts[index]!, starts[index + 1]!))
    }
    this.cut += starts.at(-1) ?? 0
    const last = text.slice(this.cut)
    return last.trim() ? [...this.closed, last] : this.closed.slice()
  }
}

/** Where the top-level blocks of a text begin, in characters. */
function blockStarts(text: string): number[] {
  const source = text.replace(/\0/g, '\ufffd')
  const tokens: ReturnType<typeof markdown.parse> = []
  markdown.block.parse(source, markdown, {}, tokens)
  const opening = tokens.filter(token => token.level === 0 && token.nesting >= 0)
  const lines = new Set(opening.flatMap(token => (token.map ? [token.map[0]] : [])))
  const starts: number[] = []
  let line = 0
  for (let offset = 0; offset <= text.length; line++) {
    if (lines.has(line)) starts.push(offset)
    const end = text.indexOf('\n', offset)
    if (end < 0) break
    offset = end + 1
  }
  return starts
}
