import { describe, expect, it } from 'vitest'
import { EventSplitter } from '../src/sse'

const STREAM = 'event: a\ndata: {"n":1}\n\n: keep-alive\n\ndata: two\r\ndata: lines\r\n\r\ndata\n\ndata:x\r\r'
  + 'data: [DONE]\n\n'
const EVENTS = ['{"n":1}', 'two\nlines', '', 'x', '[DONE]']

describe('EventSplitter', () => {
  it('finds the same events wherever the network cuts the stream', () => {
    for (let first = 0; first <= STREAM.length; first++) {
      for (let second = first; second <= STREAM.length; second += 7) {
        const splitter = new EventSplitter()
        const pieces = [STREAM.slice(0, first), STREAM.slice(first, second), STREAM.slice(second)]
        expect(pieces.flatMap(piece => splitter.push(piece))).toEqual(EVENTS)
      }
    }
  })

  it('holds back an event that has not ended', () => {
    const splitter = new EventSplitter()
    expect(splitter.push('data: half')).toEqual([])
    expect(splitter.push('\n')).toEqual([])
    expect(splitter.push('\n')).toEqual(['half'])
  })
})
