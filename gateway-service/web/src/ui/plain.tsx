import { useMemo } from 'preact/hooks'
import { pieces, visible } from '../text'

/** Text as it is, of any length. */
export function Plain({ text }: { text: string }) {
  return <div class="plain" dir="auto">{pieces(text).map((piece, index) => <Piece key={index} text={piece} />)}</div>
}

export function Piece({ text }: { text: string }) {
  // Lines of their own are laid out on their own.
  return useMemo(() => <span class={text.endsWith('\n') ? 'lines' : ''}>{visible(text)}</span>, [text])
}
