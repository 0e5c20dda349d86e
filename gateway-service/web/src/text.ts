/** Controls that reorder the text around them; shown by name, so that nothing reads as what it is not. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g

export const visible = (text: string): string =>
  text.replace(REORDERING, control => `⟨U+${control.charCodeAt(0).toString(16).toUpperCase()}⟩`)

/** Cuts a text that no browser lays out quickly into pieces, at ends of lines where it has some. */
export function pieces(text: string, size = 4_000): string[] {
  const all: string[] = []
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + size, text.length)
    const line = end < text.length ? text.lastIndexOf('\n', end - 1) + 1 : 0
    if (line > start) end = line
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++
    all.push(text.slice(start, end))
    start = end
  }
  return all
}

export const seconds = (millis: number): string =>
  millis < 1_000 ? `${Math.max(0, Math.round(millis))} ms`
    : millis < 10_000 ? `${(millis / 1_000).toFixed(1)} s`
      : millis < 120_000 ? `${Math.round(millis / 1_000)} s`
        : `${Math.round(millis / 60_000)} min`

export const count = (value: number): string => value.toLocaleString('en-US')

/** Arguments of a call, laid out where they are JSON. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The beginning of a question, as the name of a chat. */
export function title(question: string): string {
  const line = question.trim().replace(/\s+/g, ' ')
  return line.length > 48 ? `${line.slice(0, 47)}…` : line || 'New chat'
}
