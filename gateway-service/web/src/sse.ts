/** One event of a stream: the text of its `data` lines. */
export type Data = string

/**
 * Splits the text of an event stream into the data of its events, however the network cuts it.
 * Follows the parsing rules of the HTML standard for `data`; comments and other fields are left out.
 */
export class EventSplitter {
  private rest = ''
  private data: string[] = []

  push(text: string): Data[] {
    const events: Data[] = []
    // A carriage return at the end may be the first half of a line end.
    let all = this.rest + text
    const held = all.endsWith('\r') ? '\r' : ''
    all = (held ? all.slice(0, -1) : all).replace(/\r\n?/g, '\n')
    let start = 0
    for (let end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', start)) {
      this.line(all.slice(start, end), events)
      start = end + 1
    }
    this.rest = all.slice(start) + held
    return events
  }

  private line(line: string, events: Data[]): void {
    if (line === '') {
      if (this.data.length > 0) events.push(this.data.join('\n'))
      this.data = []
    } else if (line === 'data' || line.startsWith('data:')) {
      this.data.push(line.slice(5).replace(/^ /, ''))
    }
  }
}
