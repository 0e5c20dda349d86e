import { count, seconds } from './text'
import type { Turn } from './turn'

export interface Figure {
  label: string
  value: string
  hint: string
}

/** What the page knows about the time and the size of an answer; figures that it cannot know are left out. */
export function figures(turn: Turn): Figure[] {
  const { sent, accepted, firstSign, firstText, ended, exact } = turn.times
  const all: Figure[] = []
  const add = (label: string, value: string, hint: string) => all.push({ label, value, hint })
  if (exact && firstText !== undefined) add('First text', seconds(firstText - sent), 'From sending to the first word')
  if (exact && accepted !== undefined && firstSign !== undefined) {
    add('Queue', seconds(firstSign - accepted), 'From acceptance to the first sign of the model: queue and prompt')
  }
  const usage = turn.usage
  if (usage) {
    const span = ended !== undefined && firstSign !== undefined ? ended - firstSign : 0
    if (exact && span > 0) {
      const rate = usage.output_tokens / (span / 1_000)
      const shown = rate < 10 ? rate.toFixed(1) : count(Math.round(rate))
      add('Speed', `${shown} tokens/s`, 'Output tokens, reasoning included')
    }
    const reasoning = usage.output_tokens_details?.reasoning_tokens ?? 0
    add('Output', `${count(usage.output_tokens)} tokens`, `${count(reasoning)} of them reasoning`)
    add('Reasoning', `${count(reasoning)} tokens`, 'Spent on reasoning, shown or not')
    const cached = usage.input_tokens_details?.cached_tokens ?? 0
    add('Input', `${count(usage.input_tokens)} tokens`, `${count(cached)} of them cached`)
  }
  return all
}

/** How full the model's context is after the last answer, from 0 to 1. */
export function fill(turns: Turn[], contextLength: number | null | undefined): { used: number; part: number } | null {
  const usage = turns.findLast(turn => turn.usage)?.usage
  if (!usage || !contextLength) return null
  return { used: usage.total_tokens, part: Math.min(1, usage.total_tokens / contextLength) }
}
