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

/** A longer paragraph is cut: the browser lays a paragraph out anew as a whole for each word that is added to it. */
const PARAGRAPH_MAX = 2_000

/**
 * Cuts a growing text into blocks: its top-level blocks, and long paragraphs at ends of sentences or words. Only the
 * last block can still change, so an added token costs as much as its block is long, whatever came before.
 */
export class BlockSplitter {
  private closed: Block[] = []
  private cut = 0
  private continues = false
  private text = ''

  update(text: string): Block[] {
    if (!text.startsWith(this.text.slice(0, this.cut)) || text.length < this.text.length) {
      this.closed = []
      this.cut = 0
      this.continues = false
    }
    this.text = text
    const { starts, lastIsParagraph } = blockStarts(text.slice(this.cut))
    const base = this.cut
    for (let index = 0; index + 1 < starts.length; index++) this.close(base + starts[index + 1]!, false)
    if (lastIsParagraph) {
      for (let end = paragraphCut(text.slice(this.cut)); end > 0; end = paragraphCut(text.slice(this.cut))) {
        this.close(this.cut + end, true)
      }
    }
    const last = text.slice(this.cut)
    return last.trim() ? [...this.closed, { source: last, continues: this.continues }] : this.closed.slice()
  }

  private close(end: number, inParagraph: boolean): void {
    this.closed.push({ source: this.text.slice(this.cut, end), continues: this.continues })
    this.cut = end
    this.continues = inParagraph
  }
}

/** @property continues whether it goes on with the paragraph of the block before */
export interface Block {
  source: string
  continues: boolean
}

/** Where a paragraph that is too long may end, or 0: after a sentence or else a word, outside of bold text and links. */
function paragraphCut(text: string): number {
  if (text.length <= PARAGRAPH_MAX) return 0
  const part = text.slice(0, PARAGRAPH_MAX)
  const ends = (pattern: RegExp) => [...part.matchAll(pattern)].map(match => match.index + match[0].length)
    .filter(end => end > PARAGRAPH_MAX / 2).slice(-CANDIDATES).reverse()
  const all = [...ends(/[.!?]\s+(?=\p{L})/gu), ...ends(/\s+(?=\p{L})/gu)]
  return all.find(end => isBalanced(text.slice(0, end))) ?? 0
}

const CANDIDATES = 4

/** Whether no mark-up is left open: what markdown does not understand, it leaves in the text. */
function isBalanced(text: string): boolean {
  const inline = markdown.parse(text, {}).find(token => token.type === 'inline')
  return !(inline?.children ?? []).some(token => token.type === 'text' && /[*_`~[\]<]/.test(token.content))
}

/** Where the top-level blocks of a text begin, in characters. */
function blockStarts(text: string): { starts: number[]; lastIsParagraph: boolean } {
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
  return { starts, lastIsParagraph: opening.at(-1)?.type === 'paragraph_open' }
}
